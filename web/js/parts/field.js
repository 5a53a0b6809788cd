/** A field for a name or a phrase, with what was refused about it beneath. */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { cut } from '../core/characters.js';

export const LONGEST_NAME = 40;

const CAPITALS = { name: 'words', code: 'characters', phrase: 'none' };

/**
 * @param {object} field
 * @param {string} field.label
 * @param {string} field.value
 * @param {(value: string) => void} field.set
 * @param {string} [field.refusal]
 * @param {string} [field.help]
 * @param {AutoFill} [field.autocomplete]
 * @param {string} [field.placeholder]
 * @param {number} [field.longest]
 * @param {'name' | 'code' | 'phrase'} [field.kind]  none of them is to be corrected by a keyboard
 */
export function textField({
  label,
  value,
  set,
  refusal = '',
  help = '',
  autocomplete = 'off',
  placeholder = '',
  longest = 120,
  kind = 'name',
}) {
  return html`<label class="field ${refusal ? 'is-refused' : ''}">
    <span>${label}</span>
    <input
      type="text"
      autocomplete=${autocomplete}
      autocapitalize=${CAPITALS[kind]}
      autocorrect="off"
      spellcheck="false"
      placeholder=${placeholder}
      .value=${live(value)}
      @input=${(/** @type {Event} */ event) => set(typedIn(event, longest))}
    />
    ${help ? html`<span class="quiet small">${help}</span>` : nothing}
    ${refusal ? html`<span class="refusal" role="alert">${refusal}</span>` : nothing}
  </label>`;
}

/**
 * What stands in the field, cut to what it takes: `maxlength` would cut an emoji in two.
 *
 * @param {Event} event
 * @param {number} longest
 */
function typedIn({ target }, longest) {
  const input = /** @type {HTMLInputElement} */ (target);
  const value = cut(input.value, longest);
  if (value !== input.value) input.value = value;
  return value;
}
