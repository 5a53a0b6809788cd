/**
 * What a screen reader says by itself: the scores, as soon as a hand is in or something changed them.
 *
 * @import {View} from '../protocol.js'
 */

import { t } from './words.js';

export class Spoken {
  /** What was shown last: a page that has just opened says nothing. @type {{game: number, hands: number, scores: string} | null} */
  #last = null;

  /**
   * @param {View | null} view
   * @returns {string | null}  null as long as there is nothing new to say
   */
  next(view) {
    if (!view) return null;
    const { number: game, scores } = view.game;
    const now = { game, hands: view.hands.length, scores: JSON.stringify(scores) };
    const before = this.#last;
    this.#last = now;
    if (!before || before.game !== game) return null;
    if (now.hands > before.hands) return handText(view);
    return now.scores === before.scores ? null : changedText(view);
  }
}

/** @param {View} view */
function handText(view) {
  const hand = view.hands.at(-1);
  if (!hand) return '';
  const sides = view.game.sides.map((side) =>
    t('ui.announced.side', {
      side,
      points: hand.sides[side]?.points ?? 0,
      score: view.game.scores[side] ?? 0,
    }),
  );
  return [t('ui.announced.hand', { hand: hand.number }), ...sides].join(' ');
}

/** @param {View} view */
function changedText(view) {
  const sides = view.game.sides.map((side) => t('ui.announced.score', { side, score: view.game.scores[side] ?? 0 }));
  return [t('ui.announced.changed'), ...sides].join(' ');
}
