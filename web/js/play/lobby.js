/**
 * Before the first deal: who is here, how others join, and the start.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { invitationTo } from '../core/identity.js';
import { isEachForThemselves, personName, playerAt, position, sideIndex, sideName } from '../core/names.js';
import { t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { makeInvitation, playersQr } from './invite.js';
import { noteStrip } from './notices.js';
import { tools } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function lobby(play, view) {
  const free = view.game.seats.filter((seat) => view.people.seats[seat] === undefined).length;
  const isHost = play.store.state.role === 'host';
  const start = () => play.do({ type: 'start_game', game: view.game.number });
  return html`<main class="work">
      <div class="spread work-head">
        <h1>${t(free ? 'ui.lobby.waiting' : 'ui.lobby.all_here')}</h1>
        ${tools(play)}
      </div>
      ${invitationTo(play.code) ? html`<section class="panel">${playersQr(play)}</section>` : isHost ? makeInvitation(play) : nothing}
      ${seats(play, view)}
      <p class="quiet">
        ${faceOf(view.rules.key).headline(view)} · ${t('ui.rules.fingerprint', { fingerprint: view.rules.fingerprint })}
      </p>
    </main>
    <footer class="bottom">
      ${noteStrip(play, view)}
      <div class="actions">
        ${
          isHost
            ? html`<button class="main" @click=${start}>${t('ui.lobby.start', { game: view.game.number })}</button>`
            : html`<button class="main" disabled>
                ${t('ui.lobby.host_starts', { name: personName(view, view.table.host) })}
              </button>`
        }
      </div>
    </footer>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
function seats(play, view) {
  const mine = play.store.state.person;
  return html`<ul class="panel seats-list">
    ${view.game.seats.map((seat) => {
      const side = sideIndex(view, seat);
      const isMine = view.people.seats[seat] === mine;
      const name = playerAt(view, seat);
      return html`<li class="side-${side + 1}">
        <span class="where">
          <span class="side strong">${position(seat)}</span>
          <span class="quiet small name"
            >${isEachForThemselves(view) ? '' : sideName(view, view.game.sides[side] ?? '')}</span
          >
        </span>
        ${
          name
            ? html`<span class="name strong" translate="no">${name} ${isMine ? t('ui.seats.you') : ''}</span>`
            : html`<button class="chip" @click=${() => sit(play, seat)}>${t('ui.seats.sit_here')}</button>`
        }
      </li>`;
    })}
  </ul>`;
}

/**
 * @param {Play} play
 * @param {string} seat
 */
function sit(play, seat) {
  if (play.myName) play.claimSeat(seat, play.myName, null);
  else play.show('seats');
}
