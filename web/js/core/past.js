/**
 * Hands of games that were played at this table before, from their records; each record is asked for once.
 *
 * @import {Entry} from './types.js'
 */

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
 * @param {{code: string, game: number, hand: number}} which
 * @param {() => void} arrived
 * @returns {PastHand | null}
 */
export function pastHand({ code, game, hand }, arrived) {
  const address = `/api/tables/${encodeURIComponent(code)}/record?game=${game}`;
  if (!known.has(address)) {
    known.set(address, null);
    fetchRecord(address)
      .then((record) => known.set(address, record) && arrived())
      .catch(() => setTimeout(() => known.delete(address) && arrived(), AGAIN_MS));
  }
  const record = known.get(address);
  const found = record?.hands[hand - 1];
  return record && found ? { game: record.game, hand: found, by: found.by ?? '' } : null;
}

/**
 * @param {string} address
 * @returns {Promise<PastRecord>}
 */
async function fetchRecord(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`no record: ${answer.status}`);
  return answer.json();
}
