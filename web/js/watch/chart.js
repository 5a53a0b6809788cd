/**
 * Each side's score after each hand, as lines; every second one is dashed, so that colour is not needed to tell them apart.
 *
 * @import {View} from '../protocol.js'
 */

import { html, nothing, svg } from '../../vendor/lit-html/lit-html.js';
import { sideName } from '../core/names.js';
import { plain, t } from '../core/words.js';

const WIDTH = 420;
const HEIGHT = 165;
const LEFT = 62;
/** The room under the lines for the numbers of the hands. */
const BELOW = 24;
const MAX_NUMBERS = 8;
const DASHES = ['', '7 5', '2 4', '10 4 2 4'];

/** @param {View} view */
export function chart(view) {
  const { sides } = view.game;
  if (!view.hands.length) return html`<p class="quiet">${t('ui.watch.chart_empty')}</p>`;
  const scores = sides.map((side) => [0, ...view.hands.map((hand) => hand.sides[side]?.score ?? 0)]);
  const { low, high, step } = scale(scores.flat());
  const x = (/** @type {number} */ hand) => LEFT + (hand * (WIDTH - LEFT - 8)) / view.hands.length;
  const y = (/** @type {number} */ score) => 8 + ((high - score) * (HEIGHT - 16 - BELOW)) / (high - low);
  const marks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, place) => low + place * step);
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" translate="no" aria-label=${t('ui.watch.chart')}>
      ${marks.map(
        (
          mark,
        ) => svg`<line class="grid ${mark === 0 ? 'zero' : ''}" x1=${LEFT} x2=${WIDTH} y1=${y(mark)} y2=${y(mark)}></line>
          <text class="mark" x=${LEFT - 8} y=${y(mark) + 5} text-anchor="end">${plain(mark)}</text>`,
      )}
      ${numbered(view.hands.length).map(
        (hand) =>
          svg`<text class="mark" x=${x(hand)} y=${HEIGHT - 4} text-anchor=${hand === view.hands.length ? 'end' : 'middle'}>${hand}</text>`,
      )}
      ${scores.map((line, index) => {
        const points = line.map((score, hand) => `${x(hand).toFixed(1)},${y(score).toFixed(1)}`).join(' ');
        const last = line.at(-1) ?? 0;
        return svg`<polyline class="line side-${index + 1}" points=${points} stroke-dasharray=${DASHES[index % 4] || nothing}></polyline>
          <circle class="dot side-${index + 1}" cx=${x(view.hands.length)} cy=${y(last)} r="4"></circle>`;
      })}
    </svg>
    ${sides.length > 2 ? legend(view) : nothing}
  `;
}

/**
 * The hands whose number stands under the lines: all of a short game, every few of a long one.
 *
 * @param {number} hands
 */
function numbered(hands) {
  const every = Math.ceil(hands / MAX_NUMBERS);
  return Array.from({ length: hands }, (_, place) => place + 1).filter((hand) => (hands - hand) % every === 0);
}

/** @param {View} view */
function legend(view) {
  return html`<p class="small">
    ${view.game.sides.map((side, index) => html`<span class="side strong side-${index + 1}">${sideName(view, side)} </span>`)}
  </p>`;
}

/**
 * Round numbers around all scores, with at most five lines.
 *
 * @param {number[]} scores
 */
export function scale(scores) {
  const [least, most] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  const rough = Math.max(1, (most - least) / 3);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power * 10;
  const low = Math.floor(least / step) * step;
  return { low, high: Math.max(low + step, Math.ceil(most / step) * step), step };
}
