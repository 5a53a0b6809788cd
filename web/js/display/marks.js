/**
 * A row of marks under a score: books as cards laid upright and across in turn, as they are racked; bags as pips.
 *
 * @import {Row} from '../games/index.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';

/** @param {Row} row */
export function marks(row) {
  return html`<div class="row">
    <p class="label quiet">${row.label}</p>
    <p class="marks ${row.kind}" aria-hidden="true">
      ${places(row.of).map((place) => html`<span class="mark ${place < row.filled ? 'filled' : ''}"></span>`)}
      ${row.over ? places(row.over).map(() => html`<span class="mark over"></span>`) : nothing}
    </p>
    <p class="told">${row.note}</p>
  </div>`;
}

/** @param {number} count */
function places(count) {
  return Array.from({ length: count }, (_, place) => place);
}
