/**
 * Bids in a table's words.
 *
 * @import {Entry} from '../core/types.js'
 * @import {Side} from './spades-entry.js'
 */

import { plain, t } from '../core/words.js';
import { bidOf, booksIn, renegesIn, SIDES } from './spades-entry.js';

/**
 * `6`, `nil + 4`, `blind 6`; nothing while nothing is bid.
 *
 * @param {Entry} entry
 * @param {Side} side
 */
export function bidText(entry, side) {
  const { total, nils, isBlind } = bidOf(entry, side);
  const numbers = total === null ? [] : [isBlind ? t('games.spades.blind_bid', { bid: total }) : plain(total)];
  const names = nils.map((nil) => t(nil.isBlind ? 'games.spades.blind_nil' : 'games.spades.nil').toLowerCase());
  return [...names, ...numbers].join(' + ');
}

/**
 * Bids as a table says them: `6`, `5, West nil`.
 *
 * @param {Entry} entry
 * @param {Side} side
 */
export function bidTold(entry, side) {
  const { total, nils, isBlind } = bidOf(entry, side);
  const number = total === null ? [] : [isBlind ? t('games.spades.blind_bid', { bid: total }) : plain(total)];
  const told = nils.map(({ seat, isBlind: blind }) =>
    t(`games.spades.${blind ? 'seat_blind_nil' : 'seat_nil'}`, { seat }),
  );
  return [...number, ...told].join(', ');
}

/**
 * A whole hand: `6 and 5 bid, 8–5`.
 *
 * @param {Entry} entry
 */
export function handTold(entry) {
  const books = SIDES.map((side) => plain(Number(booksIn(entry)[side] ?? 0))).join('–');
  const [first, second] = SIDES.map((side) => bidText(entry, side));
  const bids = first || second ? [t('games.spades.told_bids', { first, second })] : [];
  const reneges = renegesIn(entry).map((seat) => t('games.spades.told_renege', { seat }));
  return [...bids, books, ...reneges].join(', ');
}
