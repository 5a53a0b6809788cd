/** A button that asks for a file. */

import { html } from '../../vendor/lit-html/lit-html.js';
import { chosenFile } from '../core/files.js';

/**
 * @param {object} button
 * @param {string} button.label
 * @param {string} button.accept
 * @param {(file: {name: string, text: string}) => void} button.opened
 */
export function fileButton({ label, accept, opened }) {
  const chosen = async (/** @type {Event} */ event) => {
    const file = await chosenFile(event);
    if (file) opened(file);
  };
  return html`<label class="button file">
    ${label}
    <input class="visually-hidden" type="file" accept=${accept} @change=${chosen} />
  </label>`;
}
