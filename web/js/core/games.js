/**
 * The games that the server offers, with their settings; asked once.
 *
 * @import {GameOffer} from './types.js'
 */

/** @type {GameOffer[]} */
let games = [];
let isAsked = false;

/**
 * Empty until they are here.
 *
 * @param {() => void} arrived
 * @returns {GameOffer[]}
 */
export function offeredGames(arrived) {
  if (!isAsked) {
    isAsked = true;
    fetch('/api/games')
      .then((answer) => answer.json())
      .then((offered) => {
        games = offered;
        arrived();
      })
      .catch(() => {
        setTimeout(() => {
          isAsked = false;
          arrived();
        }, 3_000);
      });
  }
  return games;
}
