/**
 * A phone that the table does not know: it may watch, join by the players' QR code, or be the host's again.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { watchPage } from '../core/links.js';
import { t } from '../core/words.js';
import { banner } from '../parts/banner.js';
import { textField } from '../parts/field.js';
import { closedScreen } from '../parts/screens.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function strangerScreen(play, view) {
  return html`${banner(play.store.state)}
    <main class="work">
      <div>
        <p class="quiet">${view.table.name}</p>
        <h1>${t('ui.stranger.title')}</h1>
      </div>
      <p>${t('ui.stranger.how_to_join')}</p>
      <a class="button" href=${watchPage(view, '')}>${t('ui.stranger.watch')}</a>
      ${recovery(play)}
    </main>`;
}

/**
 * There is no such table, or it is private and shows itself to nobody; its host still has the phrase.
 *
 * @param {Play} play
 */
export function goneScreen(play) {
  const { closedBecause, view } = play.store.state;
  return closedScreen(closedBecause, play.code, view !== null, recovery(play));
}

/** @param {Play} play */
function recovery(play) {
  const phrase = /** @type {string} */ (play.typed['phrase'] ?? '');
  const recover = () => phrase.trim() && play.recover(phrase);
  const enter = (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && recover();
  return html`<section class="panel stack" @keydown=${enter}>
    <h2>${t('ui.stranger.host_title')}</h2>
    ${textField({
      label: t('ui.stranger.phrase'),
      value: phrase,
      set: (typed) => play.type({ phrase: typed }),
      refusal: play.isPhraseUnknown ? t('ui.stranger.phrase_unknown') : '',
      kind: 'phrase',
    })}
    <button class="main" ?disabled=${!phrase.trim()} @click=${recover}>${t('ui.stranger.recover')}</button>
  </section>`;
}
