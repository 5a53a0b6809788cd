/**
 * Hands of games that were played at this table before, from their records; each record is asked for once.
 *
 * @import {Entry} from './types.js'
 */

import { fetchRecord, recordAddress } from './records.js';

/** @typedef {{game: string, hand: Entry, by: string}} PastHand  the game's key, the hand as entered, who entered it */
/** @typedef {{game: string, hands: (Entry & {by?: string})[]}} PastRecord */

// After a dead spot a browser may ask on a connection that died there, and would wait for it for minutes.
const PATIENCE_MS = 4_000;
const AGAIN_MS = 1_000;

/** @type {Map<string, PastRecord | null>} */
const known = new Map();

/**
 * Null until it is here, or if there is no such hand.
 *
 * @param {{code: string, game: number, hand: number, token: string | null}} which
 * @param {() => void} arrived
 * @returns {PastHand | null}
 */
export function pastHand({ code, game, hand, token }, arrived) {
  const address = recordAddress({ code, game });
  if (!known.has(address)) {
    known.set(address, null);
    fetchRecord({ code, game }, token)
      .then((answer) => answer.json())
      .then((record) => known.set(address, record) && arrived())
      .catch(() => setTimeout(() => known.delete(address) && arrived(), 5_000));
  }
  const record = known.get(address);
  const found = record?.hands[hand - 1];
  return record && found ? { game: record.game, hand: found, by: found.by ?? '' } : null;
}
