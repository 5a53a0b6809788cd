/**
 * Every text comes from `i18n/en.json`. A text may hold `{fact}`, `{fact|signed}` (+62, −60) and a choice by number,
 * `{fact|one bag|{fact} bags}` or, with a form for none, `{fact|no bags|one bag|{fact} bags}`; a fact that names a side or a seat is shown by its name.
 */

import { ask } from './ask.js';
import { startIsLate } from './start.js';

const AGAIN_MS = 2_000;

/** @typedef {Record<string, unknown>} Facts */

/** @type {Record<string, any>} */
let texts = {};

/** No page shows anything without its words: they are asked for until they come. */
export async function loadWords() {
  for (;;) {
    try {
      const words = await ask('/i18n/en.json');
      if (!words?.ui) throw new Error('these are no words');
      return setWords(words);
    } catch {
      startIsLate();
      await new Promise((soon) => setTimeout(soon, AGAIN_MS));
    }
  }
}

/** @param {Record<string, any>} words */
export function setWords(words) {
  texts = words;
}

/** @type {(value: unknown, fact: string) => string} */
let nameOf = (value) => String(value);

/**
 * How sides, seats and people are called at this table.
 *
 * @param {(value: unknown, fact: string) => string} names
 */
export function setNames(names) {
  nameOf = names;
}

/**
 * @param {string} path  `ui.play.enter_hand`
 * @param {Facts} [facts]
 * @returns {string}
 */
export function t(path, facts = {}) {
  return fill(has(path) ?? missing(path), facts);
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
export function has(path) {
  const found = path.split('.').reduce((level, key) => level?.[key], /** @type {any} */ (texts));
  return typeof found === 'string' ? found : undefined;
}

/** @param {string} path */
function missing(path) {
  const words = (path.split('.').at(-1) ?? '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * @param {string} text
 * @param {Facts} facts
 * @returns {string}
 */
export function fill(text, facts) {
  return text.replace(/\{(\w+)((?:\|(?:[^{}|]|\{\w+\})*)*)\}/g, (_, fact, rest) => {
    const value = facts[fact];
    const forms = rest.split('|').slice(1);
    if (forms.length > 1) return fill(formFor(Number(value ?? 0), forms), facts);
    if (forms[0] === 'signed') return signed(Number(value));
    return typeof value === 'number' ? plain(value) : nameOf(value ?? '', fact);
  });
}

const PLURALS = new Intl.PluralRules('en');

/**
 * @param {number} value
 * @param {string[]} forms  for one and others, or for none, one and others
 */
function formFor(value, forms) {
  const [one = '', other = ''] = forms.slice(-2);
  if (forms.length === 3 && value === 0) return forms[0] ?? '';
  return PLURALS.select(value) === 'one' ? one : other;
}

const MINUS = '\u2212';

/**
 * A number with a true minus sign: −1,234.
 *
 * @param {number} value
 */
export function plain(value) {
  const digits = Math.abs(value).toLocaleString('en-US');
  return value < 0 ? MINUS + digits : digits;
}

/**
 * A change: +62, −60, 0.
 *
 * @param {number} value
 */
export function signed(value) {
  return value > 0 ? `+${plain(value)}` : plain(value);
}

/**
 * The time of day, 20:52.
 *
 * @param {number} at  ms since 1970
 */
export function timeOfDay(at) {
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

/**
 * The time of day to the second, 20:52:07.
 *
 * @param {number} at  ms since 1970
 */
export function timeWithSeconds(at) {
  return `${timeOfDay(at)}:${two(new Date(at).getSeconds())}`;
}

/**
 * What is left on a clock, 12:05 or 1:02:05.
 *
 * @param {number} ms
 */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {number} value */
function two(value) {
  return String(value).padStart(2, '0');
}
