/** A QR code, or why it is not there yet. */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { qrFor } from '../core/qr.js';
import { t } from '../core/words.js';

/**
 * @param {string} text
 * @param {string} told  what the picture is, for those who do not see it
 * @param {() => void} redraw
 */
export function qrPicture(text, told, redraw) {
  const { answer, isLate } = qrFor(text, redraw);
  if (answer) return html`<img class="qr" src=${answer} alt=${told} />`;
  return html`<span class="qr"
    >${isLate ? html`<span class="small" role="status">${t('ui.invite.qr_late')}</span>` : nothing}</span
  >`;
}
