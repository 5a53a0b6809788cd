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
      const taken = () => take(which, token, failed);
      if (isPrivate) return html`<button class="chip" @click=${taken}>${label}</button>`;
      // Followed by the browser, this could save somebody else's page under the game's name.
      const clicked = (/** @type {Event} */ event) => {
        event.preventDefault();
        void taken();
      };
      return html`<a class="button" href=${recordAddress(which)} download=${recordName(which)} @click=${clicked}>
        ${label}
      </a>`;
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
    const file = await fetchRecord(which, token, 'file');
    saveFile(recordName(which), file, file.type);
  } catch {
    failed();
  }
}
