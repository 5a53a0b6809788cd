/**
 * Everything about the table that is not the hand in play.
 *
 * @import {View} from '../protocol.js'
 * @import {Panel, Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { watchPage } from '../core/links.js';
import { nextTheme, theme } from '../core/theme.js';
import { t } from '../core/words.js';
import { noteUnder } from './notices.js';
import { backBar } from './tools.js';

const MINUTES_MORE = [5, 10, 15];

/**
 * @param {Play} play
 * @param {View} view
 */
export function menuPanel(play, view) {
  const isHost = play.store.state.role === 'host';
  return html`<main class="work">
      <div>
        <h1 class="name" translate="no">${view.table.name}</h1>
        <p class="quiet">
          ${t('ui.menu.code')} <span class="code" translate="no">${play.code}</span> ·
          ${t('ui.rules.fingerprint', { fingerprint: view.rules.fingerprint })}
        </p>
      </div>
      ${view.game.phase === 'playing' ? clockActions(play, view, isHost) : nothing}
      <div class="menu-list">
        ${opens(play, 'invite')} ${opens(play, 'seats')} ${opens(play, 'book')}
        <a class="button" href=${watchPage(view, '/display')} target="_blank" rel="noopener">${t('ui.menu.display')}</a>
        <a class="button" href=${watchPage(view, '/overlay')} target="_blank" rel="noopener">${t('ui.menu.overlay')}</a>
        <a class="button" href=${watchPage(view, '')} target="_blank" rel="noopener">${t('ui.menu.watch')}</a>
        ${opens(play, 'records')} ${opens(play, 'names')} ${isHost ? hostActions(play, view) : nothing}
        <button
          @click=${() => {
            nextTheme();
            play.store.touch();
          }}
        >
          ${t('ui.menu.theme')} <span class="quiet">${t(`ui.theme.${theme()}`)}</span>
        </button>
      </div>
      ${isHost ? html`<p class="quiet small">${t('ui.menu.recovery')}</p>` : nothing}
      ${location.protocol === 'http:' ? html`<p class="quiet small">${t('ui.menu.plain_http')}</p>` : nothing}
    </main>
    ${noteUnder(play, view)} ${backBar(play)}`;
}

/**
 * @param {Play} play
 * @param {Exclude<Panel, null>} panel
 */
function opens(play, panel) {
  return html`<button @click=${() => play.show(panel)}>${t(`ui.menu.${panel}`)}</button>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
function hostActions(play, view) {
  return html`
    ${view.hands.length === 0 ? opens(play, 'rules') : nothing} ${opens(play, 'people')} ${opens(play, 'handover')}
    ${view.game.phase === 'playing' ? opens(play, 'end') : nothing}
  `;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {boolean} isHost
 */
function clockActions(play, view, isHost) {
  const { deadline, left, expired_after } = view.clock;
  const game = view.game.number;
  if (!isHost || (deadline === null && left === null && expired_after === null)) return nothing;
  const pause = left === null ? 'pause_clock' : 'resume_clock';
  const extend = (/** @type {number} */ minutes) =>
    play.do({ type: 'extend_clock', game, minutes, revision: play.revision });
  return html`<section class="panel stack">
    <h2>${t('ui.menu.clock')}</h2>
    <div class="chips">
      ${
        expired_after === null
          ? html`<button class="chip" @click=${() => play.do({ type: pause, game })}>${t(`ui.menu.${pause}`)}</button>`
          : nothing
      }
      ${MINUTES_MORE.map(
        (minutes) =>
          html`<button class="chip" @click=${() => extend(minutes)}>${t('ui.menu.extend', { minutes })}</button>`,
      )}
    </div>
  </section>`;
}
