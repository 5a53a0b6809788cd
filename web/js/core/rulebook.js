/**
 * A table's rules in words, as the server says them; asked once for each set of rules.
 *
 * @import {RulesInWords, Sentence, Settings} from './types.js'
 */

import { t } from './words.js';

const RETRY_MS = 5_000;

/** @type {Map<string, RulesInWords | null>} */
const known = new Map();

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

/**
 * Null until they are here, or if they are none of the game.
 *
 * @param {{key: string, settings: Settings}} rules
 * @returns {RulesInWords | null}
 */
export function rulesInWords({ key, settings }) {
  const asked = JSON.stringify({ key, settings });
  if (!known.has(asked)) {
    known.set(asked, null);
    ask(asked)
      .then((told) => told && known.set(asked, told) && redraw())
      .catch(() => setTimeout(() => known.delete(asked) && redraw(), RETRY_MS));
  }
  return known.get(asked) ?? null;
}

/**
 * The sentence of the table's own rules behind a line's rule or an outcome's reason.
 *
 * @param {{key: string, settings: Settings}} rules
 * @param {string} rule
 */
export function whyText(rules, rule) {
  const told = rulesInWords(rules);
  const sentence = told?.sentences.find(({ about }) => about === told.why[rule]);
  return sentence ? sentenceText(sentence) : '';
}

/** @param {Sentence} sentence */
export function sentenceText({ text, facts }) {
  return t(`rules.${text}`, facts);
}

/**
 * @param {string} asked
 * @returns {Promise<RulesInWords | null>}
 */
async function ask(asked) {
  const answer = await fetch('/api/rules', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: asked,
  });
  if (answer.status === 422) return null;
  if (!answer.ok) throw new Error(`no rules: ${answer.status}`);
  return answer.json();
}
