/**
 * The face of a game that has none of its own: scores and points, and a form made of the fields that its rules declare.
 *
 * @import {Face} from './index.js'
 */

import { signed, plain as number, t } from '../core/words.js';
import { lineText } from '../parts/lines.js';
import { plainForm } from './plain-form.js';

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
  told: (entry) =>
    Object.entries(entry)
      .map(([member, value]) => `${member} ${JSON.stringify(value)}`)
      .join(', '),
  form: plainForm,
};
