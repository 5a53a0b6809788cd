/**
 * Whole-page states that every page of a table has: on the way, not found, sent away.
 *
 * @import {BoardState} from '../core/store.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';

/** @param {BoardState} state */
export function connectingScreen({ link }) {
  return html`<main class="full-page">
    <p class="quiet" role="status">${t(link === 'lost' ? 'ui.link.no_server' : 'ui.link.connecting')}</p>
  </main>`;
}

/**
 * @param {string | null} because
 * @param {string} code
 */
export function closedScreen(because, code) {
  const key = because ?? 'sent_away';
  return html`<main class="full-page">
    <h1>${t(`ui.closed.${key}.title`, { code })}</h1>
    <p class="quiet">${t(`ui.closed.${key}.text`, { code })}</p>
    <a class="button main" href="/">${t('ui.closed.to_start')}</a>
  </main>`;
}
