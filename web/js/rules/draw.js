/**
 * The page of a set of rules: what they say, and how to hand them on.
 *
 * @import {RulesInWords} from '../core/types.js'
 * @import {Refusal} from '../core/types.js'
 * @import {Shelf} from '../parts/rules-shelf.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { offeredGames } from '../core/games.js';
import { t } from '../core/words.js';
import { qrPicture } from '../parts/qr-picture.js';
import { refusalText } from '../parts/refusal.js';
import { rulesBook } from '../parts/rules-book.js';
import { comparison, saving } from '../parts/rules-shelf.js';

/**
 * @typedef {object} RulesPage
 * @property {RulesInWords | null} told
 * @property {boolean} isLate  they are asked for once more
 * @property {{name: string, code: string} | null} table  whose rules they are
 * @property {string} origin  at which other devices reach the server
 * @property {Refusal | null} refused
 * @property {Shelf} shelf
 * @property {() => void} redraw
 */

/** @param {RulesPage} page */
export function draw({ told, isLate, table, origin, refused, shelf, redraw }) {
  if (refused) return cannotBeTold(refused);
  if (!told) {
    const text = t(isLate ? 'ui.link.asking_again' : 'ui.rules.coming');
    return html`<main class="full-page"><p class="quiet" role="status">${text}</p></main>`;
  }
  return html`<main class="rules-page">
    <header>
      <p class="quiet name">${table ? table.name : t('ui.brand')}</p>
      <h1>${t('ui.rules.title', { title: told.title })}</h1>
      <p class="quiet">${t('ui.rules.fingerprint_means', { fingerprint: told.fingerprint })}</p>
    </header>
    ${rulesBook(told, redraw)} ${compareAndKeep(shelf, told, redraw)} ${share(told, origin, redraw)}
    <nav class="chips">
      ${table ? html`<a class="button" href="/t/${table.code}">${t('ui.rules.to_table')}</a>` : nothing}
      <a class="button ${table ? '' : 'main'}" href="/?game=${told.key}&rules=${told.code}">
        ${t('ui.rules.open_table')}
      </a>
      <button @click=${() => print()}>${t('ui.rules.print')}</button>
    </nav>
  </main>`;
}

/**
 * @param {Shelf} shelf
 * @param {RulesInWords} told
 * @param {() => void} redraw
 */
function compareAndKeep(shelf, { key, settings }, redraw) {
  const game = offeredGames(redraw).find((each) => each.key === key);
  if (!game) return nothing;
  return html`${comparison(shelf, { game, settings })}
    <section class="panel stack no-print">
      <h2>${t('ui.shelf.keep_these')}</h2>
      ${saving(shelf, { game, settings })}
    </section>`;
}

/**
 * @param {RulesInWords} told
 * @param {string} origin
 * @param {() => void} redraw
 */
function share({ key, code }, origin, redraw) {
  const link = `${origin}/rules/${key}?rules=${code}`;
  return html`<section class="panel invite">
    ${qrPicture(link, t('ui.rules.share_alt'), redraw)}
    <div>
      <h2>${t('ui.rules.share')}</h2>
      <p class="quiet small">${t('ui.rules.share_text')}</p>
      <p class="small name link">${link}</p>
    </div>
  </section>`;
}

/** @param {Refusal} refused */
function cannotBeTold(refused) {
  return html`<main class="full-page">
    <h1>${t('ui.rules.not_here')}</h1>
    <p class="quiet">${refusalText(refused)}</p>
    <a class="button main" href="/">${t('ui.closed.to_start')}</a>
  </main>`;
}
