/**
 * Why a side has its points: each line by the rule that gave or took them.
 *
 * @import {Line, RulesView} from '../protocol.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { whyText } from '../core/rulebook.js';
import { signed, t } from '../core/words.js';

/** @param {Line} line */
export function lineText(line) {
  return t(`lines.${line.rule}`, line.facts);
}

/** @param {number} points */
export function pointsTone(points) {
  return points < 0 ? 'hurts' : points > 0 ? 'helps' : 'quiet';
}

/**
 * A line that opens into the sentence of the table's own rules behind it.
 *
 * @param {RulesView} rules
 * @param {Line} line
 */
export function lineWithWhy(rules, line) {
  const why = whyText(rules, line.rule);
  if (!why) return lineRow(line);
  return html`<details class="why">
    <summary>${lineRow(line)}</summary>
    <p class="quiet small">${why}</p>
  </details>`;
}

/** @param {Line} line */
export function lineRow(line) {
  return html`<div class="spread detail">
    <span class="name">${lineText(line)}</span>
    <span class=${pointsTone(line.points)} translate="no">${line.points === 0 ? '' : signed(line.points)}</span>
  </div>`;
}
