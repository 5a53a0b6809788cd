/** A pad of numbers: one tap a number, none typed digit by digit. */

import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';

/**
 * @param {object} pad
 * @param {number} pad.upTo
 * @param {number | null} pad.value
 * @param {(value: number | null) => void} pad.set
 */
export function numberPad({ upTo, value, set }) {
  const numbers = Array.from({ length: upTo + 1 }, (_, number) => number);
  return html`<div class="pad">
    ${numbers.map(
      (number) => html`<button aria-pressed=${number === value} @click=${() => set(number)}>${number}</button>`,
    )}
    <button class="word" @click=${() => set(null)}>${t('ui.play.clear')}</button>
  </div>`;
}
