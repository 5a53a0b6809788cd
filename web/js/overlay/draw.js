/**
 * One bar: the sides with their scores, the hand or the clock between them. Without a line to the table it is paler, and
 * says so: a film goes on.
 *
 * @import {BoardState} from '../core/store.js'
 * @import {View} from '../protocol.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { readClock } from '../core/clock.js';
import { sideName } from '../core/names.js';
import { plain, signed, t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { winnerText } from '../parts/outcome.js';
import { closedTitle, waitingText } from '../parts/screens.js';

/**
 * @param {BoardState} state
 * @param {string} code
 * @param {number} now  the server's clock
 */
export function draw({ view, link, closedBecause }, code, now) {
  const closed = link === 'closed' ? closedTitle(closedBecause, code, view !== null) : '';
  if (!view) return html`<main class="overlay"><p role="status">${closed || waitingText(link)}</p></main>`;
  const { sides } = view.game;
  const half = Math.ceil(sides.length / 2);
  const side = (/** @type {string} */ each, /** @type {number} */ place) => sideBox(view, each, place);
  return html`<main class="overlay ${link === 'live' ? '' : 'is-stale'} of-${sides.length}">
    ${sides.slice(0, half).map(side)}
    <div class="middle">
      ${middle(view, now)}
      ${link === 'live' ? nothing : html`<span role="status">${closed || t('ui.link.not_live')}</span>`}
    </div>
    ${sides.slice(half).map((each, place) => side(each, half + place))}
  </main>`;
}

/**
 * @param {View} view
 * @param {string} side
 * @param {number} place
 */
function sideBox(view, side, place) {
  const change = view.hands.at(-1)?.sides[side]?.points;
  const [row] = faceOf(view.rules.key).rows(view, side);
  return html`<section class="side-box side-${place + 1}">
    <h2 translate="no">${sideName(view, side)}</h2>
    <p class="figure" data-score=${side} translate="no">${plain(view.game.scores[side] ?? 0)}</p>
    <p class="about">
      ${row?.label ?? ''} ${change === undefined ? nothing : html`<span translate="no">${signed(change)}</span>`}
    </p>
  </section>`;
}

/**
 * @param {View} view
 * @param {number} now
 */
function middle(view, now) {
  const { outcome } = view.game;
  if (outcome) return html`<strong>${winnerText(view, outcome)}</strong>`;
  const clock = readClock(view.clock, now);
  const big = clock.kind === 'last' || clock.kind === 'extra' ? t(`ui.clock.${clock.kind}`) : clock.text;
  return html`${big ? html`<strong>${big}</strong>` : nothing}<span
      >${t('ui.sheet.hand', { hand: view.in_play.hand })}</span
    >`;
}
