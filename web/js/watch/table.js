/**
 * The score sheet as a table; a row opens into its reasons.
 *
 * @import {HandView, View} from '../protocol.js'
 * @import {Watch} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { brief, isEachForThemselves, position, shortPosition, sideName } from '../core/names.js';
import { t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { columnName, handHistory, handReasons, whoEntered } from '../parts/hand-card.js';

/**
 * @param {Watch} watch
 * @param {View} view
 */
export function sheetTable(watch, view) {
  const { columns } = faceOf(view.rules.key);
  return html`<table class="sheet">
    <caption class="visually-hidden">
      ${t('ui.sheet.title')}
    </caption>
    <thead>
      <tr>
        <th scope="col">${t('ui.sheet.columns.hand')}</th>
        <th scope="col">${t('ui.sheet.columns.deal')}</th>
        ${view.game.sides.map((side, index) =>
          columns.map(
            ({ label }, place) =>
              html`<th scope="col" class="side-${index + 1} ${isEachForThemselves(view) ? 'of-player' : ''}">
                ${place === 0 ? html`<span class="side" translate="no">${shortName(view, side)}</span> ` : nothing}${columns.length > 1 ? columnName(label) : nothing}
              </th>`,
          ),
        )}
        <th scope="col">${t('ui.sheet.columns.entered_by')}</th>
      </tr>
    </thead>
    <tbody>
      ${view.hands.map((hand) => handRows(watch, view, hand))}
      ${view.game.phase === 'playing' ? inPlayRow(view) : nothing}
    </tbody>
  </table>`;
}

/**
 * @param {View} view
 * @param {string} side
 */
function shortName(view, side) {
  return isEachForThemselves(view) ? brief(sideName(view, side)) : shortPosition(side);
}

/**
 * @param {Watch} watch
 * @param {View} view
 * @param {HandView} hand
 */
function handRows(watch, view, hand) {
  const { columns } = faceOf(view.rules.key);
  const isOpen = watch.open.has(hand.number);
  const cells = view.game.sides.map((side) =>
    columns.map((column) => {
      const { text, tone } = column.cell(hand, side);
      return html`<td class=${tone ? `${tone} strong` : ''} translate="no">${text}</td>`;
    }),
  );
  return html`<tr class=${isOpen ? 'is-open' : ''}>
      <td>
        <button class="opens" aria-expanded=${isOpen} @click=${() => watch.toggle(hand.number)}>
          ${hand.number} ${isOpen ? '▾' : html`<span class="quiet">▸</span>`}
        </button>
      </td>
      <td class="deal">${position(hand.dealer)}</td>
      ${cells}
      <td class="who" translate="no">${whoEntered(view, hand)}</td>
    </tr>
    ${
      isOpen
        ? html`<tr>
            <td></td>
            <td class="reasons" colspan=${view.game.sides.length * columns.length + 2}>
              ${handReasons(view, hand)}${hand.corrections.length || hand.reason ? handHistory(view, hand) : nothing}
            </td>
          </tr>`
        : nothing
    }`;
}

/** @param {View} view */
function inPlayRow(view) {
  const { columns } = faceOf(view.rules.key);
  const first = columns[0];
  const note = t(view.clock.last_hand ? 'ui.sheet.last_in_play' : 'ui.sheet.in_play');
  return html`<tr>
    <td>${view.in_play.hand}</td>
    <td class="deal">${position(view.in_play.dealer)}</td>
    ${view.game.sides.map(
      (side) =>
        html`${first?.inPlay ? html`<td translate="no">${first.inPlay(view, side)}</td>` : nothing}
          <td class="wide" colspan=${columns.length - (first?.inPlay ? 1 : 0)}>${note}</td>`,
    )}
    <td></td>
  </tr>`;
}
