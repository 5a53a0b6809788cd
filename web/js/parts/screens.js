/**
 * Whole-page states that every page of a table has: on the way, not found, sent away.
 *
 * @import {TemplateResult} from '../../vendor/lit-html/lit-html.js'
 * @import {BoardState} from '../core/store.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';

/** @param {BoardState} state */
export function connectingScreen({ link }) {
  return html`<main class="full-page"><p class="quiet" role="status">${waitingText(link)}</p></main>`;
}

/** @param {BoardState['link']} link */
export function waitingText(link) {
  return t(link === 'lost' ? 'ui.link.no_server' : 'ui.link.connecting');
}

/**
 * @param {string | null} because
 * @param {string} code
 * @param {boolean} wasHere  the page has shown the table before
 * @param {TemplateResult | typeof nothing} [more]
 */
export function closedScreen(because, code, wasHere, more = nothing) {
  const key = closedKey(because, wasHere);
  return html`<main class="full-page">
    <h1>${closedTitle(because, code, wasHere)}</h1>
    <p class="quiet">${t(`ui.closed.${key}.text`, { code })}</p>
    <a class="button main" href=${key === 'not_found' ? `/?code=${encodeURIComponent(code)}` : '/'}
      >${t('ui.closed.to_start')}</a
    >
    ${more}
  </main>`;
}

/**
 * @param {string | null} because
 * @param {boolean} wasHere
 */
function closedKey(because, wasHere) {
  return because === 'not_found' && wasHere ? 'no_longer' : (because ?? 'sent_away');
}

/**
 * @param {string | null} because
 * @param {string} code
 * @param {boolean} wasHere
 */
export function closedTitle(because, code, wasHere) {
  return t(`ui.closed.${closedKey(because, wasHere)}.title`, { code });
}
