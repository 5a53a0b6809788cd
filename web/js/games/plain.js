/**
 * The face of a game that has none of its own: scores and points, nothing else.
 *
 * @import {Face} from './index.js'
 */

import { signed, plain as number, t } from '../core/words.js';
import { lineText } from '../parts/lines.js';

/** @type {Face} */
export const plain = {
  headline: (view) => view.rules.title,
  whenLevel: () => '',
  standing: () => '',
  rows: () => [],
  columns: [
    {
      label: 'score',
      cell: (hand, side) => {
        const { score = 0, points = 0 } = hand.sides[side] ?? {};
        return { text: points ? `${number(score)} (${signed(points)})` : number(score) };
      },
    },
  ],
  summary: (hand, side) => (hand.sides[side]?.lines ?? []).map(lineText).join(', '),
  now: (view) => t('ui.display.in_play', { hand: view.in_play.hand }),
  told: () => '',
  form: null,
};
