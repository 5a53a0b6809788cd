/**
 * A table that the server's store has lost: the host can have it begin again as it is shown here.
 *
 * @import {FromClient, FromServer, Refused} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { newId } from '../core/secret.js';
import { t } from '../core/words.js';
import { refusalText } from '../parts/refusal.js';
import { backBar } from './tools.js';

export class PutBack {
  /** @type {Pick<Refused, 'code' | 'facts' | 'field'> | null} */
  refused = null;
  #id = '';
  #send;

  /** @param {(message: FromClient) => boolean} send */
  constructor(send) {
    this.#send = send;
  }

  ask() {
    this.refused = null;
    this.#id = newId();
    this.#send({ type: 'put_back', id: this.#id });
  }

  /**
   * @param {FromServer} message
   * @returns {boolean}  whether the table is back
   */
  receive(message) {
    if (!('cmd' in message) || message.cmd !== this.#id) return false;
    if (message.type === 'refused') this.refused = message;
    return message.type === 'done';
  }
}

/** @param {Play} play */
export function putBackButton(play) {
  const { role } = play.store.state;
  if (role !== 'host' || play.panel === 'put_back') return nothing;
  return html`<button @click=${() => play.show('put_back')}>${t('ui.put_back.button')}</button>`;
}

/**
 * @param {Play} play
 * @param {import('../protocol.js').View} view
 */
export function putBackPanel(play, view) {
  const { isLost } = play.store.state;
  const { refused } = play.putBack;
  return html`<main class="work">
      <h1>${t('ui.put_back.title')}</h1>
      <p>${isLost ? t('ui.put_back.text', { hands: view.hands.length }) : t('ui.put_back.is_back')}</p>
      ${refused && isLost ? html`<p class="refusal" role="alert">${refusalText(refused)}</p>` : nothing}
    </main>
    ${backBar(play, isLost ? html`<button class="main" @click=${() => play.putBack.ask()}>${t('ui.put_back.do')}</button>` : '')}`;
}
