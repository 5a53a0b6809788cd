/**
 * Laying a part over a hand as the server does: mappings merge, null removes, anything else replaces. And the other way:
 * what of a typed part is already recorded.
 *
 * @import {Entry} from './types.js'
 * @import {Json} from '../protocol.js'
 */

/**
 * @param {Json | undefined} value
 * @returns {value is {[key: string]: Json}}
 */
function isMapping(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {Entry} entry
 * @param {Entry} part
 * @returns {Entry}
 */
export function layOver(entry, part) {
  return merge(entry, part, true);
}

/**
 * Two parts as one, the second over the first; what they remove stays in it.
 *
 * @param {Entry} first
 * @param {Entry} second
 * @returns {Entry}
 */
export function joinParts(first, second) {
  return merge(first, second, false);
}

/**
 * @param {Entry} under
 * @param {Entry} over
 * @param {boolean} removes
 * @returns {Entry}
 */
function merge(under, over, removes) {
  const laid = /** @type {Entry} */ (Object.assign(Object.create(null), under));
  for (const [key, value] of Object.entries(over)) {
    const there = laid[key];
    const merged = isMapping(value) ? merge(isMapping(there) ? there : {}, value, removes) : value;
    const isGone = removes && (merged === null || (isMapping(merged) && Object.keys(merged).length === 0));
    if (isGone) delete laid[key];
    else laid[key] = merged;
  }
  return laid;
}

/**
 * What is left of a typed part after taking out what the recorded hand says already.
 *
 * @param {Entry} part
 * @param {Entry} recorded
 * @returns {Entry}
 */
export function notYetIn(part, recorded) {
  /** @type {Entry} */
  const left = Object.create(null);
  for (const [key, value] of Object.entries(part)) {
    const there = recorded[key];
    if (isMapping(value)) {
      const inner = notYetIn(value, isMapping(there) ? there : {});
      if (Object.keys(inner).length) left[key] = inner;
    } else if (!isSame(value, there ?? null)) left[key] = value;
  }
  return left;
}

/**
 * Whether two entries say the same.
 *
 * @param {Entry} one
 * @param {Entry} other
 */
export function saysTheSame(one, other) {
  return Object.keys(notYetIn(one, other)).length === 0 && Object.keys(notYetIn(other, one)).length === 0;
}

/**
 * Whether every place of a part is one of the other's.
 *
 * @param {Entry} part
 * @param {Entry} other
 * @returns {boolean}
 */
export function isWithin(part, other) {
  return Object.entries(part).every(([key, value]) => {
    const there = other[key];
    if (there === undefined) return false;
    return isMapping(value) && isMapping(there) ? isWithin(value, there) : true;
  });
}

/**
 * Whether two parts have a place in common: a member, or a name in the same mapping.
 *
 * @param {Entry} one
 * @param {Entry} other
 * @returns {boolean}
 */
export function meets(one, other) {
  return Object.entries(one).some(([key, value]) => {
    const there = other[key];
    if (there === undefined) return false;
    return isMapping(value) && isMapping(there) ? meets(value, there) : true;
  });
}

/**
 * @param {Json} one
 * @param {Json} other
 */
function isSame(one, other) {
  const isEmpty = (/** @type {Json} */ value) => value === null || (Array.isArray(value) && value.length === 0);
  return JSON.stringify(one) === JSON.stringify(other) || (isEmpty(one) && isEmpty(other));
}
