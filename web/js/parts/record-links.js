/**
 * The ways to take a game away as a file.
 *
 * @import {View} from '../protocol.js'
 * @import {Format, Which} from '../core/records.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { saveFile } from '../core/files.js';
import { fetchRecord, recordAddress, recordName } from '../core/records.js';
import { t } from '../core/words.js';

/** @type {Format[]} */
const FORMATS = ['json', 'csv'];

/**
 * @param {object} links
 * @param {View} links.view
 * @param {number} links.game
 * @param {string | null} links.token
 * @param {() => void} links.failed
 */
export function recordLinks({ view, game, token, failed }) {
  const { code, private: isPrivate } = view.table;
  return html`<span class="chips">
    ${FORMATS.map((format) => {
      const which = { code, game, format };
      const label = t(`ui.records.${format}`);
      if (isPrivate) {
        return html`<button class="chip" @click=${() => take(which, token, failed)}>${label}</button>`;
      }
      return html`<a class="button" href=${recordAddress(which)} download=${recordName(which)}>${label}</a>`;
    })}
  </span>`;
}

/**
 * @param {Which} which
 * @param {string | null} token
 * @param {() => void} failed
 */
async function take(which, token, failed) {
  try {
    const answer = await fetchRecord(which, token);
    saveFile(recordName(which), await answer.blob(), answer.headers.get('Content-Type') ?? '');
  } catch {
    failed();
  }
}
