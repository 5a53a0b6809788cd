/**
 * What every page of a table starts with: its words, its board, its line to the server, and a drawing a frame.
 *
 * @import {TemplateResult} from '../../vendor/lit-html/lit-html.js'
 * @import {FromServer} from '../protocol.js'
 * @import {Line} from './socket.js'
 */

import { Drawing } from './drawing.js';
import { codeInAddress } from './identity.js';
import { nameEverything } from './names.js';
import { whenRulesCome } from './rulebook.js';
import { openLine } from './socket.js';
import { Spoken } from './spoken.js';
import { Store } from './store.js';
import { loadWords, t } from './words.js';

/**
 * @typedef {object} Table
 * @property {string} code
 * @property {Store} store
 * @property {Line} line
 * @property {() => number} serverNow  ms since 1970
 */

/**
 * @param {object} options
 * @param {'watch' | 'play' | 'display'} options.screen
 * @param {(table: Omit<Table, 'line'>) => TemplateResult} options.draw
 * @param {Store} [options.store]
 * @param {() => string | null} [options.token]
 * @param {(message: FromServer) => void} [options.onMessage]
 * @param {() => void} [options.onLost]
 * @param {(code: number) => boolean} [options.onClosedForGood]
 * @returns {Promise<Table>}
 */
export async function openTablePage({ screen, draw, store = new Store(), ...lineOptions }) {
  await loadWords();
  const code = codeInAddress();
  const table = { code, store, serverNow: () => Date.now() + store.state.offset };
  nameEverything(() => store.state.view);
  whenRulesCome(() => store.touch());
  const drawing = new Drawing();
  const spoken = new Spoken();
  const said = placeToSpeak();
  store.subscribe(() => {
    const name = store.state.view?.table.name;
    document.title = name ? `${name} · ${t('ui.brand')}` : t('ui.brand');
    drawing.draw(() => draw(table));
    const news = spoken.next(store.state.view);
    if (news !== null) said.textContent = news;
  });
  setInterval(() => needsTick(store) && store.touch(), 1_000);
  const line = openLine({ room: code, screen, store, ...lineOptions });
  store.touch();
  return { ...table, line };
}

/** Out of sight, and never drawn anew: screen readers say what comes into it. */
function placeToSpeak() {
  const said = document.createElement('p');
  said.className = 'visually-hidden';
  said.setAttribute('role', 'status');
  said.setAttribute('aria-live', 'polite');
  document.body.prepend(said);
  return said;
}

/** @param {Store} store */
function needsTick({ state }) {
  return state.link === 'lost' || state.view?.clock.deadline !== null;
}
