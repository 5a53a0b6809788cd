/**
 * The games that the server offers, with their settings; asked once.
 *
 * @import {GameOffer} from './types.js'
 */

import { Answers, ask } from './ask.js';

const WHERE = '/api/games';

/** @type {Answers<GameOffer[]>} */
const known = new Answers();

/**
 * Empty until they are here.
 *
 * @param {() => void} arrived
 * @returns {GameOffer[]}
 */
export function offeredGames(arrived) {
  return known.get(WHERE, () => ask(WHERE), arrived).answer ?? [];
}

/**
 * Whether they are asked for once more.
 *
 * @param {() => void} arrived
 */
export function areGamesLate(arrived) {
  return known.get(WHERE, () => ask(WHERE), arrived).isLate;
}
