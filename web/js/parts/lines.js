/**
 * Why a side has its points: each line by the rule that gave or took them.
 *
 * @import {Line} from '../protocol.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { signed, t } from '../core/words.js';

/** @param {Line} line */
export function lineText(line) {
  return t(`lines.${line.rule}`, line.facts);
}

/** @param {number} points */
export function pointsTone(points) {
  return points < 0 ? 'hurts' : points > 0 ? 'helps' : 'quiet';
}

/** @param {Line} line */
export function lineRow(line) {
  return html`<div class="spread detail">
    <span class="name">${lineText(line)}</span>
    <span class=${pointsTone(line.points)}>${line.points === 0 ? '' : signed(line.points)}</span>
  </div>`;
}
