/**
 * The table's rules in sentences, on the phone.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { areRulesLate, rulesInWords } from '../core/rulebook.js';
import { t } from '../core/words.js';
import { rulesBook } from '../parts/rules-book.js';
import { backBar } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function bookPanel(play, { rules }) {
  const told = rulesInWords(rules);
  return html`<main class="work">
      <div>
        <h1>${t('ui.rules.title', { title: rules.title })}</h1>
        <p class="quiet">${t('ui.rules.fingerprint_means', { fingerprint: rules.fingerprint })}</p>
      </div>
      ${
        told
          ? rulesBook(told, () => play.store.touch())
          : html`<p class="quiet" role="status">
              ${t(areRulesLate(rules) ? 'ui.link.asking_again' : 'ui.rules.coming')}
            </p>`
      }
      <a class="button" href="/t/${play.code}/rules" target="_blank" rel="noopener">${t('ui.rules.share')}</a>
    </main>
    ${backBar(play)}`;
}
