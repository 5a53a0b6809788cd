/**
 * Hands of games that were played at this table before, from their records; each record is asked for once.
 *
 * @import {Entry} from './types.js'
 */

import { Answers } from './ask.js';
import { fetchRecord, recordAddress } from './records.js';

/** @typedef {{game: string, hand: Entry, by: string}} PastHand  the game's key, the hand as entered, who entered it */
/** @typedef {{game: string, hands: (Entry & {by?: string})[]}} PastRecord */

/** @type {Answers<PastRecord>} */
const known = new Answers();

/**
 * Null until it is here, or if there is no such hand.
 *
 * @param {{code: string, game: number, hand: number, token: string | null}} which
 * @param {() => void} arrived
 * @returns {PastHand | null}
 */
export function pastHand({ code, game, hand, token }, arrived) {
  const asking = () => fetchRecord({ code, game }, token);
  const record = known.get(recordAddress({ code, game }), asking, arrived).answer;
  const found = record?.hands[hand - 1];
  return record && found ? { game: record.game, hand: found, by: found.by ?? '' } : null;
}
