/**
 * The way back: the tables this device has a part in.
 *
 * @import {OwnTable} from '../core/tables.js'
 * @import {Home} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { ownTables, wayTo } from '../core/tables.js';
import { t } from '../core/words.js';

/** @param {Home} home */
export function yourTables(home) {
  const tables = ownTables();
  if (!tables.length) return nothing;
  return html`<section class="panel stack" aria-labelledby="yours">
    <h2 id="yours">${t('ui.yours.title')}</h2>
    <ul class="yours">
      ${tables.map((table) => html`<li>${table.code === home.forgetting ? sure(home, table) : row(home, table)}</li>`)}
    </ul>
  </section>`;
}

/**
 * @param {Home} home
 * @param {OwnTable} table
 */
function row(home, { code, name }) {
  return html`<div class="spread">
    <a class="button name" href=${wayTo(code)}>
      <span class="name">${name}</span> <span class="quiet small" translate="no">${code}</span>
    </a>
    <button class="plain" @click=${() => home.ask(code)}>${t('ui.yours.forget')}</button>
  </div>`;
}

/**
 * @param {Home} home
 * @param {OwnTable} table
 */
function sure(home, { code, name }) {
  return html`<div class="stack">
    <p>${t('ui.yours.forget_text', { name })}</p>
    <div class="chips">
      <button class="chip" @click=${() => home.ask(null)}>${t('ui.yours.keep')}</button>
      <button class="chip" @click=${() => home.forget(code)}>${t('ui.yours.forget_do', { code })}</button>
    </div>
  </div>`;
}
