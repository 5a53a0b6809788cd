/**
 * The table's games to take away as files, on the phone.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { watchPage } from '../core/links.js';
import { t } from '../core/words.js';
import { recordLinks } from '../parts/record-links.js';
import { backBar } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function recordsPanel(play, view) {
  const { number, phase } = view.game;
  const games = [...(phase === 'waiting' ? [] : [number]), ...view.past.map((game) => game.number).reverse()];
  const failed = () => play.type({ hasRecordFailed: true });
  return html`<main class="work">
      <h1>${t('ui.records.title')}</h1>
      <p class="quiet">${t(games.length ? 'ui.records.text' : 'ui.records.none')}</p>
      <ul class="panel games-list" ?hidden=${!games.length}>
        ${games.map(
          (game) =>
            html`<li class="spread">
              <span class="strong">${t('ui.watch.game', { game })}</span>
              ${recordLinks({ view, game, token: play.token(), failed })}
            </li>`,
        )}
      </ul>
      <a class="button" href=${watchPage(view, '/sheet')} target="_blank" rel="noopener">${t('ui.printed.open')}</a>
      ${play.typed['hasRecordFailed'] ? html`<p class="refusal" role="alert">${t('ui.records.failed')}</p>` : nothing}
    </main>
    ${backBar(play)}`;
}
