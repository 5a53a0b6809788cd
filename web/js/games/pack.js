/**
 * The face of Pack: every player is a side; a round is everyone's cards, and who declared.
 *
 * @import {Face} from './index.js'
 */

import { plain as number, signed, t } from '../core/words.js';
import { lineText } from '../parts/lines.js';
import { cardsIn, form } from './pack-form.js';

/** @type {Face} */
export const pack = {
  headline({ rules }) {
    const limit = rules.settings['target'];
    return limit === null ? rules.title : t('games.spades.headline', { title: rules.title, limit });
  },
  whenLevel: () => '',
  standing(view, side) {
    const { to_target } = view.game.standing[side] ?? {};
    return to_target ? t('games.pack.to_go', { to_target }) : '';
  },
  rows: () => [],

  columns: [
    {
      label: 'score',
      cell(hand, side) {
        const { score = 0, points = 0 } = hand.sides[side] ?? {};
        const text = points ? `${number(score)} (${signed(points)})` : number(score);
        return points < 0 ? { text, tone: 'hurts' } : { text };
      },
    },
  ],

  summary: (hand, side) => (hand.sides[side]?.lines ?? []).map(lineText).join(', '),

  now({ in_play: { dealer, entry } }) {
    const { declarer } = entry;
    const dealt = t('games.pack.deals', { dealer });
    return declarer ? `${dealt} ${t('games.pack.declared_now', { declarer })}` : dealt;
  },

  told(entry) {
    const cards = Object.entries(cardsIn(entry)).map(([player, count]) => `${player} ${count}`);
    return [entry['declarer'] ? t('games.pack.declared', { declarer: entry['declarer'] }) : '', ...cards]
      .filter(Boolean)
      .join(', ');
  },

  form,
};
