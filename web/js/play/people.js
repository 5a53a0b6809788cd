/**
 * The people of the table: who is here, who is the host, and the way to take somebody off or hand the table over.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { position } from '../core/names.js';
import { newSecret } from '../core/secret.js';
import { t } from '../core/words.js';
import { noteUnder } from './notices.js';
import { backBar } from './tools.js';

/**
 * Everybody but the host and those who were taken off.
 *
 * @param {View} view
 */
function others({ people, table }) {
  return Object.entries(people.names).filter(([person]) => person !== table.host && !people.gone.includes(person));
}

/**
 * @param {View} view
 * @param {string} person
 */
function placeOf({ people }, person) {
  const seat = Object.keys(people.seats).find((each) => people.seats[each] === person);
  return seat ? position(seat) : t('ui.people.no_seat');
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function peoplePanel(play, view) {
  const chosen = others(view).find(([person]) => person === play.typed['person']);
  if (chosen) return removePersonPanel(play, view, chosen);
  const here = others(view);
  return html`<main class="work">
      <h1>${t('ui.menu.people')}</h1>
      ${here.length ? nothing : html`<p class="quiet">${t('ui.handover.nobody')}</p>`}
      <ul class="panel seats-list" ?hidden=${!here.length}>
        ${here.map(
          ([person, name]) =>
            html`<li>
              <span class="where"
                ><span class="strong name" translate="no">${name}</span>
                <span class="quiet small">${placeOf(view, person)}</span></span
              >
              <button class="chip" @click=${() => play.type({ person })}>${t('ui.people.take_off')}</button>
            </li>`,
        )}
      </ul>
    </main>
    ${noteUnder(play, view)} ${backBar(play)}`;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {[string, string]} chosen
 */
function removePersonPanel(play, view, [person, name]) {
  const remove = () => {
    play.do({ type: 'remove_person', person });
    // With the old invitation they would be back at once.
    play.do({ type: 'invite_players', token: newSecret() });
    play.type({ person: null });
  };
  return html`<main class="work">
      <h1 class="name">${t('ui.people.take_off_title', { name })}</h1>
      <p class="quiet">${placeOf(view, person)}</p>
      <p>${t('ui.people.take_off_text', { name })}</p>
    </main>
    <footer class="bottom">
      <div class="actions">
        <button @click=${() => play.type({ person: null })}>${t('ui.people.keep')}</button>
        <button class="main" @click=${remove}>${t('ui.people.take_off_do', { name })}</button>
      </div>
    </footer>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function handoverPanel(play, view) {
  const here = others(view);
  const hand = (/** @type {string} */ person) => {
    play.do({ type: 'hand_over', person });
    play.show('menu');
  };
  return html`<main class="work">
      <h1>${t('ui.menu.handover')}</h1>
      <p class="quiet">${t(here.length ? 'ui.handover.text' : 'ui.handover.nobody')}</p>
      <div class="menu-list">
        ${here.map(
          ([person, name]) =>
            html`<button @click=${() => hand(person)}>
              <span class="name">${t('ui.handover.to', { name })}</span>
            </button>`,
        )}
      </div>
    </main>
    ${backBar(play)}`;
}
