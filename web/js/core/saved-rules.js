/**
 * Rules that people keep on this device under a name, and the files in which they go from one device to another.
 *
 * @import {Settings} from './types.js'
 */

import { keep, recall } from './keep.js';

const FORMAT = 1;
const MAX_KEPT = 40;

/** @typedef {{name: string, key: string, settings: Settings}} SavedRules  of the game `key`, those that differ */

/** @returns {SavedRules[]} */
export function savedRules() {
  const kept = recall('rules');
  return Array.isArray(kept) ? kept.filter(isRules) : [];
}

/** @param {SavedRules} rules */
export function saveRules(rules) {
  keep('rules', withRules(savedRules(), rules));
}

/** @param {SavedRules} rules */
export function forgetRules(rules) {
  keep('rules', withoutRules(savedRules(), rules));
}

/**
 * The newest first; rules of the same game and name are replaced.
 *
 * @param {SavedRules[]} kept
 * @param {SavedRules} rules
 */
export function withRules(kept, rules) {
  return [rules, ...withoutRules(kept, rules)].slice(0, MAX_KEPT);
}

/**
 * @param {SavedRules[]} kept
 * @param {SavedRules} rules
 */
export function withoutRules(kept, { key, name }) {
  return kept.filter((each) => each.key !== key || each.name !== name);
}

/** @param {SavedRules} rules */
export function asFile({ name, key, settings }) {
  return `${JSON.stringify({ format: FORMAT, name, game: key, settings }, null, 2)}\n`;
}

/**
 * The rules in a file: one of ours, or a game record, which has its rules in the same place. Null if there are none.
 *
 * @param {string} text
 * @returns {SavedRules | null}
 */
export function fromFile(text) {
  try {
    const { name, game, settings } = JSON.parse(text);
    const rules = { name: typeof name === 'string' ? name : '', key: game, settings: settings ?? {} };
    return isRules(rules) ? rules : null;
  } catch {
    return null;
  }
}

/**
 * @param {any} rules
 * @returns {rules is SavedRules}
 */
function isRules(rules) {
  const { name, key, settings } = rules ?? {};
  const areSettings = typeof settings === 'object' && settings !== null && !Array.isArray(settings);
  return typeof name === 'string' && typeof key === 'string' && areSettings;
}
