/**
 * What a refusal says, and where: beside the field that it is about.
 *
 * @import {Refusal} from '../core/types.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { fill, has, t } from '../core/words.js';

/** @param {Refusal} refusal */
export function refusalText({ code, facts }) {
  const text = has(`refusals.${code}_by_${facts['why']}`) ?? has(`refusals.${code}`) ?? has(`record_errors.${code}`);
  return text === undefined ? t('refusals.other') : fill(text, facts);
}

/**
 * @param {{refused: Refusal | null}} where
 * @param {string[]} fields
 */
export function refusalBeside({ refused }, fields) {
  const field = refused?.field?.split('.')[0] ?? '';
  if (!refused || !fields.includes(field)) return nothing;
  return html`<p class="refusal" role="alert">${refusalText(refused)}</p>`;
}
