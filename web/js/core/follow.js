/**
 * How a screen keeps up: what to do with an event, and what a board looks like after it. Pure.
 *
 * @import {Changes, EventMessage, View} from '../protocol.js'
 */

/** @typedef {{epoch: number, version: number, last: string}} Position */

/**
 * @param {Position | null} mine
 * @param {Pick<EventMessage, 'epoch' | 'version' | 'prev'>} event
 * @returns {'drop' | 'apply' | 'sync'}
 */
export function verdict(mine, event) {
  if (!mine || event.epoch !== mine.epoch) return 'sync';
  if (event.version <= mine.version) return 'drop';
  return event.version === mine.version + 1 && event.prev === mine.last ? 'apply' : 'sync';
}

/**
 * The board with the sections that changed put in place.
 *
 * @param {View} view
 * @param {Changes} changes
 * @returns {View}
 */
export function applyChanges(view, changes) {
  const { hands, ...sections } = changes;
  const changed = { ...view, ...sections };
  return hands ? { ...changed, hands: [...view.hands.slice(0, hands.keep), ...hands.hands] } : changed;
}
