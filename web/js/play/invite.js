/**
 * Who may come to the table: the codes that players and watchers scan, and whether others may watch.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { invitationTo } from '../core/identity.js';
import { watchLink } from '../core/links.js';
import { originForOthers } from '../core/qr.js';
import { newSecret } from '../core/secret.js';
import { t } from '../core/words.js';
import { qrPicture } from '../parts/qr-picture.js';
import { noteUnder } from './notices.js';
import { backBar } from './tools.js';

/** @param {Play} play */
export function playersQr(play) {
  const origin = originForOthers(play.store.state.addresses);
  return qr(play, 'player', `${origin}/t/${play.code}/play#${invitationTo(play.code)}`);
}

/**
 * @param {Play} play
 * @param {'player' | 'watch'} kind
 * @param {string} link
 */
function qr(play, kind, link) {
  return html`<div class="invite">
      ${qrPicture(link, t(`ui.invite.${kind}_alt`), () => play.store.touch())}
      <div>
        <p class="strong">${t(`ui.invite.${kind}_title`)}</p>
        <p class="quiet small">${t(`ui.invite.${kind}_text`)}</p>
      </div>
    </div>
    <div class="link">
      <p class="quiet small">${t(`ui.invite.${kind}_link`, { code: play.code })}</p>
      <p class="small name address" translate="no">${link}</p>
      ${copyButton(play, link)}
    </div>`;
}

/**
 * Browsers copy only where the connection is encrypted; elsewhere a tap selects the link.
 *
 * @param {Play} play
 * @param {string} link
 */
function copyButton(play, link) {
  if (!navigator.clipboard) return nothing;
  const copy = async () => {
    await navigator.clipboard.writeText(link).catch(() => {});
    play.type({ copied: link });
  };
  return html`<button class="chip" @click=${copy}>
    ${t(play.typed['copied'] === link ? 'ui.invite.copied' : 'ui.invite.copy')}
  </button>`;
}

/** @param {Play} play */
export function makeInvitation(play) {
  const invite = () => play.do({ type: 'invite_players', token: newSecret() });
  return html`<button @click=${invite}>${t(invitationTo(play.code) ? 'ui.invite.renew' : 'ui.invite.make')}</button>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function invitePanel(play, view) {
  const isHost = play.store.state.role === 'host';
  const isInviting = invitationTo(play.code) !== null;
  return html`<main class="work">
      <h1>${t('ui.menu.invite')}</h1>
      <section class="panel stack">
        ${isInviting ? playersQr(play) : html`<p class="quiet">${t(`ui.invite.${isHost ? 'none_yet' : 'not_from_here'}`)}</p>`}
        ${
          isHost
            ? html`${makeInvitation(play)}
                <p class="quiet small">${t('ui.invite.renew_text')}</p>`
            : nothing
        }
      </section>
      <section class="panel stack">${watchers(play, view)}</section>
      ${
        isHost
          ? html`<button @click=${() => play.show('privacy')}>
              ${t(view.table.private ? 'ui.privacy.open_up' : 'ui.privacy.make_private')}
            </button>`
          : nothing
      }
    </main>
    ${noteUnder(play, view)} ${backBar(play)}`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
function watchers(play, view) {
  const link = watchLink(view, play.store.state.addresses);
  const isHost = play.store.state.role === 'host';
  const isPrivate = view.table.private;
  return html`
    ${link ? qr(play, 'watch', link) : html`<p class="quiet">${t(`ui.privacy.${isHost ? 'no_link_here' : 'ask_host'}`)}</p>`}
    ${isPrivate ? html`<p class="quiet small">${t('ui.privacy.is_private')}</p>` : nothing}
    ${
      isPrivate && isHost
        ? html`<button @click=${() => makePrivate(play)}>${t('ui.privacy.new_link')}</button>
            <p class="quiet small">${t('ui.privacy.new_link_text')}</p>`
        : nothing
    }
  `;
}

/** @param {Play} play */
function makePrivate(play) {
  play.do({ type: 'set_privacy', private: true, token: newSecret() });
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function privacyPanel(play, view) {
  const words = view.table.private ? 'open_up' : 'make_private';
  const change = () => {
    if (view.table.private) play.do({ type: 'set_privacy', private: false });
    else makePrivate(play);
    play.show('invite');
  };
  return html`<main class="work">
      <h1>${t(`ui.privacy.${words}`)}</h1>
      <p>${t(`ui.privacy.${words}_text`)}</p>
    </main>
    ${backBar(play, html`<button class="main" @click=${change}>${t(`ui.privacy.${words}`)}</button>`)}`;
}
