/**
 * A setting's number that is not among its choices. Nothing typed is taken away: what will not do is said beside it.
 *
 * @import {Setting, Settings} from '../core/types.js'
 * @import {TypedNumbers} from '../core/settings.js'
 * @import {Json} from '../protocol.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { isBelowZero, readNumber } from '../core/settings.js';
import { plain, t } from '../core/words.js';

/**
 * @param {Setting} setting
 * @returns {TypedNumbers}
 */
export function nothingTyped({ key }) {
  return { [key]: { text: '', isTold: false } };
}

/**
 * @param {object} field
 * @param {Setting} field.setting
 * @param {Json} field.value  null if one of the choices is chosen
 * @param {TypedNumbers[string] | undefined} field.typed
 * @param {(changed: Settings, typed: TypedNumbers) => void} field.set
 */
export function numberField({ setting, value, typed, set }) {
  const { key, low, high } = setting;
  const isDone = (/** @type {string} */ text) => !text.trim() || readNumber(setting, text) !== null;
  const type = (/** @type {Event} */ event) => {
    const { value: text } = /** @type {HTMLInputElement} */ (event.target);
    const number = readNumber(setting, text);
    const wasCustom = !text.trim() && value !== null;
    const changed = number !== null ? { [key]: number } : wasCustom ? { [key]: setting.default } : {};
    const isTold = event.type === 'change' || (typed?.isTold ?? false);
    set(changed, event.type === 'change' && isDone(text) ? nothingTyped(setting) : { [key]: { text, isTold } });
  };
  const shown = (/** @type {number | null} */ number) =>
    number === null ? '' : plain(isBelowZero(setting) ? -number : number);
  const ends = isBelowZero(setting) ? { low: shown(high), high: shown(low) } : { low, high };
  const custom = typeof value === 'number' ? shown(value) : '';
  return html`<label class="custom">
    <span class="visually-hidden">${t('ui.rules.other', { label: setting.label })}</span>
    ${isBelowZero(setting) ? html`<span aria-hidden="true">−</span>` : nothing}
    <input
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength="12"
      placeholder=${t('ui.rules.range', ends)}
      aria-invalid=${typed?.isTold ? !isDone(typed.text) : false}
      .value=${live(typed?.text || custom)}
      @input=${type}
      @change=${type}
    />
  </label>`;
}
