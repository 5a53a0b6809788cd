/**
 * How a game ended, or would end, in a table's words.
 *
 * @import {Outcome, View} from '../protocol.js'
 */

import { isEachForThemselves } from '../core/names.js';
import { has, plain, t } from '../core/words.js';

/**
 * Sides win, a player wins.
 *
 * @param {View} view
 * @param {Outcome} outcome
 */
export function winnerText(view, { winner }) {
  if (winner === null) return t('ui.over.no_winner');
  return t(isEachForThemselves(view) ? 'ui.over.player_wins' : 'ui.over.side_wins', { side: winner });
}

/**
 * Scores in a line: `131 to −10`, where a dash would be taken for a minus sign.
 *
 * @param {number[]} scores
 */
export function scoresText(scores) {
  const [first, second] = scores;
  if (scores.length === 2) return t('ui.over.two_scores', { first, second });
  return scores.map(plain).join(' · ');
}

/** @param {Outcome} outcome */
export function reasonText({ reason }) {
  return has(`reasons.${reason}`) ?? reason;
}
