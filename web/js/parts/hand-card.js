/**
 * A scored hand as a card: what each side bid, took and got; open, also why, by whom and when.
 *
 * @import {TemplateResult} from '../../vendor/lit-html/lit-html.js'
 * @import {HandView, View} from '../protocol.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { personName, sideName } from '../core/names.js';
import { has, signed, t, timeOfDay } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { lineWithWhy, pointsTone } from './lines.js';

/** A name from here on gets a line of its own above the numbers. */
const LONG_NAME = 12;

/**
 * `Nora 20:52 · corrected 21:02`.
 *
 * @param {View} view
 * @param {HandView} hand
 */
export function whoEntered(view, { entered, corrections }) {
  const first = `${personName(view, entered.by)} ${timeOfDay(entered.at)}`;
  const last = corrections.at(-1);
  if (!last) return first;
  const key = last.by === entered.by ? 'ui.sheet.corrected' : 'ui.sheet.corrected_by';
  return `${first} · ${t(key, { who: personName(view, last.by), time: timeOfDay(last.at) })}`;
}

/**
 * Everything that happened to a hand: who entered it, and what each correction found.
 *
 * @param {View} view
 * @param {HandView} hand
 */
export function handHistory(view, hand) {
  const told = faceOf(view.rules.key).told;
  const { entered, corrections } = hand;
  const facts = (/** @type {{by: string, at: number}} */ { by, at }) => ({
    who: personName(view, by),
    time: timeOfDay(at),
  });
  return html`<p class="quiet small">
    ${t('ui.sheet.entered_by', facts(entered))}${corrections.map(
      (correction) =>
        html` · ${t('ui.sheet.corrected_was', { ...facts(correction), before: told(correction.before) })}`,
    )}${hand.reason ? ` · ${t('ui.sheet.let_pass', { reason: hand.reason })}` : nothing}
  </p>`;
}

/**
 * The hands that were taken out: by whom, when, and what they were.
 *
 * @param {View} view
 */
export function removedHands(view) {
  const { told } = faceOf(view.rules.key);
  return view.game.removed.map(
    ({ number, entry, by, at }) =>
      html`<p class="quiet small name">
        ${t('ui.sheet.taken_out', { hand: number, who: personName(view, by), time: timeOfDay(at), before: told(entry) })}
      </p>`,
  );
}

/**
 * Every line of a hand, side by side.
 *
 * @param {View} view
 * @param {HandView} hand
 */
export function handReasons(view, hand) {
  return html`<div class="lines">
    ${view.game.sides.map((side, index) => {
      const result = hand.sides[side];
      if (!result) return nothing;
      return html`<div class="side-${index + 1}">
        <div class="spread strong">
          <span class="side name" translate="no">${sideName(view, side)}</span>
          <span class=${pointsTone(result.points)} translate="no">${signed(result.points)}</span>
        </div>
        ${result.lines.map((line) => lineWithWhy(view.rules, line))}
      </div>`;
    })}
  </div>`;
}

/**
 * @param {object} card
 * @param {View} card.view
 * @param {HandView} card.hand
 * @param {boolean} card.isOpen
 * @param {() => void} card.toggle
 * @param {TemplateResult | typeof nothing} [card.actions]
 */
export function handCard({ view, hand, isOpen, toggle, actions = nothing }) {
  const { columns } = faceOf(view.rules.key);
  const areLong = view.game.sides.some((side) => sideName(view, side).length > LONG_NAME);
  return html`<article class="panel hand-card">
    <div class="spread">
      <button class="opens" aria-expanded=${isOpen} @click=${toggle}>
        ${t('ui.sheet.hand', { hand: hand.number })} ${isOpen ? '▾' : '▸'}
      </button>
      <span class="quiet small">${t('ui.sheet.dealt', { seat: hand.dealer })}</span>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col"><span class="visually-hidden">${t('ui.sheet.side')}</span></th>
          ${columns.map((column) => html`<th scope="col">${columnName(column.label)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${view.game.sides.map((side, index) => {
          const name = html`<span class="side strong side-${index + 1}" translate="no">${sideName(view, side)}</span>`;
          const cells = columns.map((column) => {
            const { text, tone } = column.cell(hand, side);
            return html`<td class="${tone ?? ''} ${column.label === 'score' ? 'strong' : ''}" translate="no">
              ${text}
            </td>`;
          });
          if (!areLong) {
            return html`<tr>
              <th scope="row" class="name">${name}</th>
              ${cells}
            </tr>`;
          }
          return html`<tr class="side-name">
              <th scope="rowgroup" class="name" colspan=${columns.length + 1}>${name}</th>
            </tr>
            <tr>
              <td></td>
              ${cells}
            </tr>`;
        })}
      </tbody>
    </table>
    ${isOpen ? handReasons(view, hand) : nothing} ${isOpen ? handHistory(view, hand) : nothing}
    ${isOpen ? actions : nothing}
  </article>`;
}

/** @param {string} label */
export function columnName(label) {
  return has(`ui.sheet.columns.${label}`) ?? label;
}
