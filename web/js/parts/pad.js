/** A pad of numbers: one tap a number, none typed digit by digit. */

import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';

/**
 * @param {object} pad
 * @param {string} pad.label  what the numbers are, and whose
 * @param {number} [pad.from]
 * @param {number} pad.upTo
 * @param {number | null} pad.value
 * @param {(value: number | null) => void} pad.set
 */
export function numberPad({ label, from = 0, upTo, value, set }) {
  const numbers = Array.from({ length: upTo - from + 1 }, (_, place) => from + place);
  return html`<div class="pad" role="group" aria-label=${label}>
    ${numbers.map(
      (number) =>
        html`<button translate="no" aria-pressed=${number === value} @click=${() => set(number)}>${number}</button>`,
    )}
    <button class="word" @click=${() => set(null)}>${t('ui.play.clear')}</button>
  </div>`;
}

/**
 * Digits, for numbers that a pad of them all would be too long for; `fresh` starts the number anew.
 *
 * @param {object} pad
 * @param {string} pad.label
 * @param {number | null} pad.value
 * @param {boolean} pad.isFresh
 * @param {(value: number | null) => void} pad.set
 * @param {(() => void) | null} pad.next  to whatever is typed after this
 */
export function digitPad({ label, value, isFresh, set, next }) {
  const typed = (/** @type {number} */ digit) => set(isFresh || value === null ? digit : value * 10 + digit);
  return html`<div class="pad" role="group" aria-label=${label}>
    ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => html`<button translate="no" @click=${() => typed(digit)}>${digit}</button>`)}
    <button class="word" @click=${() => set(null)}>${t('ui.play.clear')}</button>
    <button class="word wide" ?disabled=${next === null} @click=${() => next?.()}>${t('ui.play.next')}</button>
  </div>`;
}
