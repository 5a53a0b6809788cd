/**
 * What stands across a page while the line or the store is away.
 *
 * @import {BoardState} from '../core/store.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { handsGone } from '../core/store.js';
import { t, timeOfDay, timeWithSeconds } from '../core/words.js';

/**
 * @param {BoardState} state
 * @param {'play' | 'watch'} [screen]  on which hands are entered, or only shown
 * @param {unknown} [remedy]  what whoever looks can do about a table that is lost
 */
export function banner(state, screen = 'watch', remedy = nothing) {
  if (state.link === 'lost') {
    const text = t('ui.link.lost', { time: timeWithSeconds(state.heardAt) });
    return html`<p class="banner" role="alert">${text}</p>`;
  }
  const gone = handsGone(state);
  if (gone.length && !state.readonly) {
    return html`<p class="banner" role="alert">${t('ui.link.rewound', { hands: gone.join(', ') })}</p>`;
  }
  if (state.isReplaced && !state.readonly) {
    return html`<p class="banner" role="alert">${t('ui.link.replaced')}</p>`;
  }
  if (state.isLost) return html`<p class="banner" role="alert">${t('ui.link.table_lost')} ${remedy}</p>`;
  if (!state.readonly) return clockBanner(state);
  return html`<p class="banner" role="alert">
    ${t(`ui.link.readonly_${screen}`, { time: timeOfDay(state.readonlySince - state.offset) })}
  </p>`;
}

/**
 * Only the host can do something about a time limit.
 *
 * @param {BoardState} state
 */
function clockBanner({ clockSet, role, view }) {
  if (!clockSet || role !== 'host' || !view || view.clock.deadline === null) return nothing;
  const text = t(clockSet.seen ? 'ui.link.clock_seen' : 'ui.link.clock_unseen');
  return html`<p class="banner" role="status">${text}</p>`;
}
