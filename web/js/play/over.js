/**
 * The game is over: who won and why, and what comes next.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { personName } from '../core/names.js';
import { whyText } from '../core/rulebook.js';
import { t } from '../core/words.js';
import { handReasons } from '../parts/hand-card.js';
import { reasonText, winnerText } from '../parts/outcome.js';
import { noteStrip } from './notices.js';
import { tools } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function overScreen(play, view) {
  const { outcome, number, ended_by_host } = view.game;
  const last = view.hands.at(-1);
  const isHost = play.store.state.role === 'host';
  return html`<main class="work">
      <div class="spread work-head"><span class="quiet">${t('ui.over.title')}</span>${tools(play)}</div>
      <div>
        <h1>${outcome ? winnerText(view, outcome) : ''}</h1>
        <p class="quiet">${outcome ? reasonText(outcome) : ''}</p>
        <p class="quiet small">${outcome ? whyText(view.rules, outcome.reason) : ''}</p>
      </div>
      ${
        last && !ended_by_host
          ? html`<section class="panel stack">
              <h3>${t('ui.sheet.hand', { hand: last.number })}</h3>
              ${handReasons(view, last)}
            </section>`
          : nothing
      }
      ${
        isHost && ended_by_host
          ? html`<button @click=${() => play.do({ type: 'reopen_game', game: number, revision: play.revision })}>
              ${t('ui.over.reopen')}
            </button>`
          : nothing
      }
    </main>
    <footer class="bottom">
      ${noteStrip(play, view)}
      <div class="actions">
        ${
          last && !ended_by_host
            ? html`<button @click=${() => play.show('undo')}>${t('ui.play.undo')}</button>`
            : nothing
        }
        ${
          isHost
            ? html`<button
                class="main"
                @click=${() => play.do({ type: 'next_game', game: number, revision: play.revision })}
              >
                ${t('ui.over.next_game', { game: number + 1 })}
              </button>`
            : html`<button class="main" disabled>
                ${t('ui.over.host_next', { name: personName(view, view.table.host) })}
              </button>`
        }
      </div>
    </footer>`;
}
