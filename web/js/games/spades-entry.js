/**
 * A hand of Spades as it is typed: which bids are there, whose nil, what a tap changes. Pure, and without a point.
 *
 * @import {Entry} from '../core/types.js'
 * @import {Json} from '../protocol.js'
 */

export const SIDES = /** @type {const} */ (['north_south', 'east_west']);
export const BOOKS = 13;

/** @typedef {typeof SIDES[number]} Side */

/** @type {Record<Side, string[]>} */
export const SEATS_OF = { north_south: ['north', 'south'], east_west: ['east', 'west'] };

/**
 * @param {string} seat
 * @returns {Side}
 */
export function sideOf(seat) {
  return SEATS_OF.north_south.includes(seat) ? 'north_south' : 'east_west';
}

/**
 * @param {string} side
 * @returns {Side}
 */
export function otherSide(side) {
  return side === 'north_south' ? 'east_west' : 'north_south';
}

/**
 * @param {Entry} entry
 * @param {string} member
 * @returns {Record<string, Json>}
 */
function mapping(entry, member) {
  const value = entry[member];
  return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

/**
 * @param {Entry} entry
 * @param {string} member
 * @returns {string[]}
 */
function listed(entry, member) {
  const value = entry[member];
  return Array.isArray(value) ? value.map(String) : [];
}

/** @param {Entry} entry */
export const bidsIn = (entry) => mapping(entry, 'bids');
/** @param {Entry} entry */
export const booksIn = (entry) => mapping(entry, 'books');
/** @param {Entry} entry */
export const nilBooksIn = (entry) => mapping(entry, 'nil_books');
/** @param {Entry} entry */
export const blindSidesIn = (entry) => listed(entry, 'blind');
/** @param {Entry} entry */
export const renegesIn = (entry) => listed(entry, 'reneges');
/** @param {Entry} entry */
export const allowedIn = (entry) => listed(entry, 'allowed');

/** @param {Json | undefined} bid */
export const isNil = (bid) => bid === 'nil' || bid === 'blind_nil';

/**
 * @param {Entry} entry
 * @param {Side} side
 */
export function hasBid(entry, side) {
  const bids = bidsIn(entry);
  return bids[side] !== undefined || SEATS_OF[side].every((seat) => bids[seat] !== undefined);
}

/** @param {Entry} entry */
export const allBid = (entry) => SIDES.every((side) => hasBid(entry, side));

/** @param {Entry} entry */
export const allBooks = (entry) => SIDES.every((side) => typeof booksIn(entry)[side] === 'number');

/**
 * A side's bid as it is known: the number bid so far, and its nils.
 *
 * @param {Entry} entry
 * @param {Side} side
 * @returns {{total: number | null, nils: {seat: string, isBlind: boolean}[], isBlind: boolean}}
 */
export function bidOf(entry, side) {
  const bids = bidsIn(entry);
  const seats = SEATS_OF[side].filter((seat) => bids[seat] !== undefined);
  const numbers = [side, ...seats].map((name) => bids[name]).filter((bid) => typeof bid === 'number');
  return {
    total: numbers.length ? numbers.reduce((sum, bid) => sum + bid, 0) : null,
    nils: seats.filter((seat) => isNil(bids[seat])).map((seat) => ({ seat, isBlind: bids[seat] === 'blind_nil' })),
    isBlind: blindSidesIn(entry).includes(side),
  };
}

/** @param {Entry} entry */
export function nilBidders(entry) {
  return SIDES.flatMap((side) => bidOf(entry, side).nils.map((nil) => nil.seat));
}

/**
 * The part that sets one bid, by seat or by side; the other way of giving that side's bid goes.
 *
 * @param {Entry} entry
 * @param {string} name  a seat or a side
 * @param {Json} bid  null takes it away
 * @returns {Entry}
 */
export function bidPart(entry, name, bid) {
  const isSide = name === 'north_south' || name === 'east_west';
  const others = isSide ? SEATS_OF[/** @type {Side} */ (name)] : [sideOf(name)];
  const gone = others.filter((other) => bidsIn(entry)[other] !== undefined);
  const bids = { ...Object.fromEntries(gone.map((other) => [other, null])), [name]: bid };
  const strayBooks = [name, ...gone].filter((seat) => nilBooksIn(entry)[seat] !== undefined && !isNil(bids[seat]));
  if (!strayBooks.length) return { bids };
  return { bids, nil_books: Object.fromEntries(strayBooks.map((seat) => [seat, null])) };
}

/**
 * The part that sets a side's books: the other side has the rest.
 *
 * @param {string} side
 * @param {number | null} books
 * @returns {Entry}
 */
export function booksPart(side, books) {
  return { books: { [side]: books, [otherSide(side)]: books === null ? null : BOOKS - books } };
}
