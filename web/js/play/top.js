/**
 * The scores on top of the phone, and the clock or the hand between them.
 *
 * @import {View} from '../protocol.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { readClock } from '../core/clock.js';
import { sideName } from '../core/names.js';
import { plain, t } from '../core/words.js';

/**
 * @param {View} view
 * @param {number} now  the server's clock
 */
export function scoresOnTop(view, now) {
  const { sides, scores } = view.game;
  const score = (/** @type {string} */ side, /** @type {number} */ index) =>
    html`<div class="score-of side-${index + 1}">
      <div class="name" translate="no">${sideName(view, side)}</div>
      <div class="figure" data-score=${side} translate="no">${plain(scores[side] ?? 0)}</div>
    </div>`;
  if (sides.length !== 2) {
    return html`<header class="top many">
      ${sides.map(score)}
      <p class="quiet small">${rulesText(view)}</p>
    </header>`;
  }
  const [left, right] = sides.map(score);
  return html`<header class="top">${left}${middle(view, now)}${right}</header>`;
}

/** @param {View} view */
function rulesText({ rules: { fingerprint } }) {
  return t('ui.rules.fingerprint', { fingerprint });
}

/**
 * @param {View} view
 * @param {number} now
 */
function middle(view, now) {
  const clock = readClock(view.clock, now);
  const hand = t('ui.sheet.hand', { hand: view.in_play.hand });
  const { phase } = view.game;
  const only = (/** @type {string} */ text) =>
    html`<div class="middle"><strong>${text}</strong>${rulesText(view)}</div>`;
  if (phase === 'over') return only(t('ui.clock.over'));
  if (phase === 'waiting') return only(view.table.name);
  if (clock.kind === 'none') return only(hand);
  const big = clock.kind === 'last' || clock.kind === 'extra' ? t(`ui.clock.${clock.kind}`) : clock.text;
  const isPaused = clock.kind === 'paused';
  return html`<div class="middle">
    <strong class=${clock.isShort ? 'hurts' : ''} translate="no">${big}</strong
    >${isPaused ? t('ui.clock.paused') : hand}
    <span class="house">${rulesText(view)}</span>
  </div>`;
}
