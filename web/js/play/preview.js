/**
 * What will happen before the button is pressed: scores, an end, and what it does to other hands.
 *
 * @import {HandView, Line, PreviewResult, View} from '../protocol.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { numberOf, scoredHand } from '../core/hands.js';
import { sideName } from '../core/names.js';
import { signed, t } from '../core/words.js';
import { lineText, pointsTone } from '../parts/lines.js';
import { reasonText, scoresText, winnerText } from '../parts/outcome.js';

/**
 * Of a hand that is entered or corrected.
 *
 * @param {View} view
 * @param {PreviewResult} result
 */
export function previewPanel(view, result) {
  const { hand, changed } = result;
  const others = changed.filter((each) => each.id !== hand?.id);
  return html`<section class="panel preview" aria-live="polite">
    ${consequences(view, result)} ${others.map((each) => otherHand(view, each))}
    ${view.game.sides.map((side, index) => {
      const mine = hand?.sides[side];
      if (!mine) return nothing;
      return html`<div class="of-side side-${index + 1}">
        <div class="spread strong">
          <span class="name side" translate="no">${sideName(view, side)}</span>
          <span class=${pointsTone(mine.points)} translate="no">${signed(mine.points)}</span>
        </div>
        ${whyInShort(mine.lines)}
      </div>`;
    })}
  </section>`;
}

/**
 * Every line in as little room as it takes, what hurts first: it must be seen before the button is pressed.
 *
 * @param {Line[]} lines
 */
function whyInShort(lines) {
  const sorted = [...lines].sort((one, other) => Number(other.points < 0) - Number(one.points < 0));
  return html`<p class="in-short">
    ${sorted.map(
      (line, place) =>
        html`${place ? ' · ' : ''}<span class=${line.points < 0 ? 'hurts' : ''}
            >${lineText(line)}${line.points ? html` <strong>${signed(line.points)}</strong>` : nothing}</span
          >`,
    )}
  </p>`;
}

/**
 * The scores afterwards, whether the game ends or goes on, and whose bids stand although they no longer could be made.
 *
 * @param {View} view
 * @param {PreviewResult} result
 */
export function consequences(view, result) {
  const { excused, scores, outcome } = result;
  const goesOn = view.game.outcome !== null && outcome === null;
  return html`<div class="spread strong">
      <span>${t(view.in_play.id === result.hand?.id ? 'ui.play.after' : 'ui.play.afterwards')}</span>
      <span translate="no">${scoresText(view.game.sides.map((side) => scores[side] ?? 0))}</span>
    </div>
    ${outcome ? html`<p class="strong">${winnerText(view, outcome)} · ${reasonText(outcome)}</p>` : nothing}
    ${goesOn ? html`<p class="strong">${t('ui.play.goes_on')}</p>` : nothing}
    ${Object.keys(excused).map((id) => html`<p class="quiet">${t('ui.play.excused', { hand: numberOf(view, Number(id)) })}</p>`)}`;
}

/**
 * A hand that gets other points through this one: a bag penalty that falls elsewhere.
 *
 * @param {View} view
 * @param {HandView} hand
 */
function otherHand(view, hand) {
  const before = scoredHand(view, hand.id);
  const sides = view.game.sides.filter((side) => before && before.sides[side]?.points !== hand.sides[side]?.points);
  return sides.map((side) => {
    const points = { before: before?.sides[side]?.points ?? 0, after: hand.sides[side]?.points ?? 0 };
    return html`<p class="quiet">${t('ui.play.also_changes', { hand: hand.number, side, ...points })}</p>`;
  });
}
