/**
 * What decides the hand in play, in a sentence, from the server's outlook on it.
 *
 * @import {Prospect, View} from '../protocol.js'
 * @import {SidesOutlook} from '../core/types.js'
 */

import { t } from '../core/words.js';

const BOOKS = 13;
/** What is worth saying of a side, the weightiest first; one of them is said. */
const WORTH_SAYING = ['win', 'bag_penalty'];

/**
 * @param {View} view
 * @param {SidesOutlook} outlook
 */
export function outlookText({ game: { sides } }, outlook) {
  for (const what of WORTH_SAYING) {
    const said = sides.map((side) => saying(side, what, outlook[side] ?? [])).filter(Boolean);
    if (said.length) return t(`games.spades.outlook.${what}_all`, { said: said.join('; ') });
  }
  return '';
}

/**
 * @param {string} side
 * @param {string} what
 * @param {Prospect[]} prospects
 */
function saying(side, what, prospects) {
  const ranges = prospects.filter((prospect) => prospect.what === what).map(rangeText);
  if (!ranges.length) return '';
  return t(`games.spades.outlook.${what}`, { side, range: ranges.join(` ${t('games.spades.outlook.or')} `) });
}

/** @param {Prospect} prospect */
function rangeText({ low, high, nils = [] }) {
  const range = t(`games.spades.outlook.${formOf(low, high)}`, { low, high });
  if (!nils.length) return range;
  return t(`games.spades.outlook.${nils.length > 1 ? 'if_nils' : 'if_nil'}`, { range, seat: nils[0] });
}

/**
 * @param {number} low
 * @param {number} high
 */
function formOf(low, high) {
  if (low === high) return 'one';
  if (low === 0) return high === BOOKS ? 'any' : 'down';
  return high === BOOKS ? 'up' : 'from_to';
}
