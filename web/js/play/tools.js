/** @import {Play} from './main.js' */

import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';

/**
 * The way to the score sheet and to everything about the table.
 *
 * @param {Play} play
 */
export function tools(play) {
  return html`<nav class="tools">
    <button @click=${() => play.show('sheet')}>${t('ui.play.sheet')}</button>
    <button @click=${() => play.show('menu')}>${t('ui.play.table')}</button>
  </nav>`;
}

/**
 * The bottom of a panel laid over the hand: the way back.
 *
 * @param {Play} play
 * @param {unknown} [action]
 * @param {unknown} [note]
 */
export function backBar(play, action = '', note = '') {
  return html`<footer class="bottom">
    ${note}
    <div class="actions">
      <button @click=${() => play.show(null)}>${t('ui.play.back')}</button>
      ${action}
    </div>
  </footer>`;
}
