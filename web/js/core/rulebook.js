/**
 * A table's rules in words, as the server says them; asked once for each set of rules.
 *
 * @import {RulesInWords, Sentence, Settings} from './types.js'
 */

import { Answers, post } from './ask.js';
import { t } from './words.js';

/** @type {Answers<RulesInWords>} */
const known = new Answers();

/** @type {() => void} */
let redraw = () => {};

/**
 * What to do when rules have come in.
 *
 * @param {() => void} draw
 */
export function whenRulesCome(draw) {
  redraw = draw;
}

/** @typedef {{key: string, settings: Settings}} Rules */

/**
 * Null until they are here, or if they are none of the game.
 *
 * @param {Rules} rules
 * @returns {RulesInWords | null}
 */
export function rulesInWords(rules) {
  return told(rules).answer;
}

/**
 * Whether they are asked for once more.
 *
 * @param {Rules} rules
 */
export function areRulesLate(rules) {
  return told(rules).isLate;
}

/** @param {Rules} rules */
function told({ key, settings }) {
  const asked = { key, settings };
  return known.get(JSON.stringify(asked), () => post('/api/rules', asked), redraw);
}

/**
 * The sentence of the table's own rules behind a line's rule or an outcome's reason.
 *
 * @param {Rules} rules
 * @param {string} rule
 */
export function whyText(rules, rule) {
  const { answer } = told(rules);
  const sentence = answer?.sentences.find(({ about }) => about === answer.why[rule]);
  return sentence ? sentenceText(sentence) : '';
}

/** @param {Sentence} sentence */
export function sentenceText({ text, facts }) {
  return t(`rules.${text}`, facts);
}
