/**
 * How sides, seats and people are called at a table. Always text, never markup.
 *
 * @import {View} from '../protocol.js'
 */

import { characters } from './characters.js';
import { has, setNames, t } from './words.js';

/** @type {Record<string, string[]>} */
const PARTNERS = { north_south: ['north', 'south'], east_west: ['east', 'west'] };

/**
 * The side's own name, else its position; in games where every player is a side, the player's.
 *
 * @param {View} view
 * @param {string} side
 */
export function sideName(view, side) {
  return view.people.sides[side] || position(side);
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
  if (view.people.sides[side]) return has(`ui.positions.${side}`) ?? '';
  return (PARTNERS[side] ?? [])
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
  return sides.findIndex((side) => side === seat || (PARTNERS[side] ?? []).includes(seat));
}

/** @param {string} side */
export function position(side) {
  return has(`ui.positions.${side}`) ?? side;
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
  return person === '' ? t('ui.people.clock') : view.people.names[person] || t('ui.people.somebody');
}

/**
 * Texts name the sides and seats of this table from now on.
 *
 * @param {() => View | null} current
 */
export function nameEverything(current) {
  setNames((value, fact) => {
    const view = current();
    const text = String(value);
    if (fact.endsWith('person')) return view ? personName(view, text) : text;
    if (view?.game.sides.includes(text)) return sideName(view, text);
    return position(text);
  });
}
