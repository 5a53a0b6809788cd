/**
 * A game's hands by their ids, which stay when their numbers change.
 *
 * @import {AnyCommand} from './types.js'
 * @import {HandView, RemovedHandView, View} from '../protocol.js'
 */

/**
 * @param {View} view
 * @param {number} id
 * @returns {HandView | undefined}
 */
export function scoredHand(view, id) {
  return view.hands.find((hand) => hand.id === id);
}

/**
 * @param {View} view
 * @param {number} id
 * @returns {RemovedHandView | undefined}
 */
export function removedHand(view, id) {
  return view.game.removed.find((hand) => hand.id === id);
}

/**
 * The number people know a hand by: the one it has now, or had when it was removed.
 *
 * @param {View | null} view
 * @param {number} id
 * @returns {number}
 */
export function numberOf(view, id) {
  if (!view) return id;
  if (id === view.in_play.id) return view.in_play.hand;
  return (scoredHand(view, id) ?? removedHand(view, id))?.number ?? id;
}

/**
 * The number of the hand a command is about.
 *
 * @param {View | null} view
 * @param {AnyCommand} command
 * @returns {number}
 */
export function numberIn(view, command) {
  if (!('hand' in command)) return 0;
  return command.game === view?.game.number ? numberOf(view, command.hand) : command.hand;
}
