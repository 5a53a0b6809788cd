/**
 * A game's settings as a table has them: complete, only those that differ, and told. Pure.
 *
 * @import {GameOffer, Setting, Settings} from './types.js'
 * @import {Json} from '../protocol.js'
 */

import { plain } from './words.js';

/**
 * Numbers being typed for settings, by key: what stands in the field, and whether it is time to say that it will not do.
 *
 * @typedef {Record<string, {text: string, isTold: boolean}>} TypedNumbers
 */

/**
 * Every setting as it stands.
 *
 * @param {GameOffer} game
 * @param {Settings} settings
 * @returns {Settings}
 */
export function completeSettings(game, settings) {
  return { ...Object.fromEntries(game.settings.map((setting) => [setting.key, setting.default])), ...settings };
}

/**
 * What a game record says of settings: only those that are not the default.
 *
 * @param {GameOffer} game
 * @param {Settings} settings
 * @returns {Settings}
 */
export function whatDiffers(game, settings) {
  const differing = game.settings.filter(({ key, default: usual }) => key in settings && settings[key] !== usual);
  return Object.fromEntries(differing.map(({ key }) => [key, settings[key] ?? null]));
}

/**
 * @param {Setting} setting
 * @param {Settings} complete
 */
export function isHidden(setting, complete) {
  return setting.hidden_when.some((condition) =>
    Object.entries(condition).every(([key, value]) => complete[key] === value),
  );
}

/**
 * The settings of which two sets of rules have different values, but those that change nothing in either.
 *
 * @param {GameOffer} game
 * @param {Settings} here
 * @param {Settings} there
 * @returns {{setting: Setting, here: Json, there: Json}[]}
 */
export function differences(game, here, there) {
  const [ours, theirs] = [completeSettings(game, here), completeSettings(game, there)];
  return game.settings
    .filter((setting) => ours[setting.key] !== theirs[setting.key])
    .filter((setting) => !isHidden(setting, ours) || !isHidden(setting, theirs))
    .map((setting) => ({ setting, here: ours[setting.key] ?? null, there: theirs[setting.key] ?? null }));
}

/**
 * @param {Setting} setting
 * @param {Json} value
 */
export function valueLabel(setting, value) {
  const choice = setting.choices.find((each) => each.value === value);
  const text = choice?.label ?? (typeof value === 'number' ? plain(value) : String(value));
  return setting.unit && typeof value === 'number' && !/[a-z]/i.test(text) ? `${text} ${setting.unit}` : text;
}

/**
 * Whether a setting takes only numbers below zero, which are typed without their sign: phones' number keys have none.
 *
 * @param {Setting} setting
 */
export function isBelowZero({ high }) {
  return high !== null && high < 0;
}

/**
 * A number as it is typed for a setting; null if the setting does not take it.
 *
 * @param {Setting} setting
 * @param {string} text
 * @returns {number | null}
 */
export function readNumber(setting, text) {
  const digits = /^([-\u2212]?)(\d{1,7})$/.exec(text.replace(/[\s,]/g, ''));
  if (!digits) return null;
  const number = digits[1] || isBelowZero(setting) ? -Number(digits[2]) : Number(digits[2]);
  const { low, high } = setting;
  return low !== null && high !== null && number >= low && number <= high ? number : null;
}

/**
 * The shown settings in whose field something stands that they do not take.
 *
 * @param {GameOffer} game
 * @param {Settings} settings
 * @param {TypedNumbers} typed
 */
export function oddSettings(game, settings, typed) {
  const complete = completeSettings(game, settings);
  const isOdd = (/** @type {Setting} */ setting) => {
    const text = typed[setting.key]?.text.trim();
    return Boolean(text) && readNumber(setting, text ?? '') === null;
  };
  return game.settings.filter((setting) => isOdd(setting) && !isHidden(setting, complete));
}
