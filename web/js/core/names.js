/**
 * How sides, seats and people are called at a table. Always text, never markup.
 *
 * @import {View} from '../protocol.js'
 */

import { characters } from './characters.js';
import { has, setNames, t } from './words.js';

/** The facts of texts that hold a side or a seat; all others say themselves what is meant. */
const CODES = new Set(['seat', 'side', 'first', 'dealer', 'player', 'declarer']);
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @type {() => View | null} */
let table = () => null;

const PARTNERS = new Map([
  ['north_south', ['north', 'south']],
  ['east_west', ['east', 'west']],
]);

/**
 * The side's own name, else its position; in games where every player is a side, the player's.
 *
 * @param {View} view
 * @param {string} side
 */
export function sideName(view, side) {
  return isolated(view.people.sides[side] ?? '') || position(side);
}

/**
 * A name cut to what fits into a line with others.
 *
 * @param {string} name
 */
export function brief(name) {
  const whole = characters(name);
  return whole.length > 18 ? `${whole.slice(0, 16).join('').trimEnd()}…` : name;
}

/**
 * What stands small beside a side's name: its position, or who plays there if the position is its name.
 *
 * @param {View} view
 * @param {string} side
 */
export function sideNote(view, side) {
  if (isEachForThemselves(view)) return '';
  if (view.people.sides[side]) return has(`ui.positions.${side}`) ?? '';
  return (PARTNERS.get(side) ?? [])
    .map((seat) => playerAt(view, seat))
    .filter(Boolean)
    .join(' & ');
}

/**
 * In Pack every player is a side; elsewhere a side has seats.
 *
 * @param {View} view
 */
export function isEachForThemselves({ game: { sides, seats } }) {
  return sides.every((side) => seats.includes(side));
}

/**
 * The place of a seat's side among the sides.
 *
 * @param {View} view
 * @param {string} seat
 */
export function sideIndex({ game: { sides } }, seat) {
  return sides.findIndex((side) => side === seat || (PARTNERS.get(side) ?? []).includes(seat));
}

/**
 * Where a side or a seat is; a player who is one has a name, whatever it is.
 *
 * @param {string} side
 */
export function position(side) {
  const view = table();
  if (view && isEachForThemselves(view) && view.game.sides.includes(side)) return isolated(side);
  return has(`ui.positions.${side}`) ?? side;
}

/**
 * A name that is read from right to left, so that it does not turn round the numbers beside it.
 *
 * @param {string} name
 */
export function isolated(name) {
  const isAlready = name.includes('\u2068');
  return RIGHT_TO_LEFT.test(name) && !isAlready ? `\u2068${name}\u2069` : name;
}

/** @param {string} side */
export function shortPosition(side) {
  return has(`ui.positions_short.${side}`) ?? position(side);
}

/**
 * @param {View} view
 * @param {string} seat
 */
export function playerAt(view, seat) {
  const person = view.people.seats[seat];
  return person === undefined ? '' : personName(view, person);
}

/**
 * @param {View} view
 * @param {string} person
 */
export function personName(view, person) {
  return person === '' ? t('ui.people.clock') : isolated(view.people.names[person] ?? '') || t('ui.people.somebody');
}

/**
 * Texts name the sides and seats of this table from now on.
 *
 * @param {() => View | null} current
 */
export function nameEverything(current) {
  table = current;
  setNames((value, fact) => {
    const view = current();
    const text = String(value);
    if (fact.endsWith('person')) return view ? personName(view, text) : text;
    if (!CODES.has(fact)) return isolated(text);
    return view?.game.sides.includes(text) ? sideName(view, text) : position(text);
  });
}
