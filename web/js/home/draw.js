/**
 * The first page, and the phrase that is shown once after a table was opened.
 *
 * @import {GameOffer} from '../core/types.js'
 * @import {SavedRules} from '../core/saved-rules.js'
 * @import {Home} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { keep } from '../core/keep.js';
import { position } from '../core/names.js';
import { completeSettings, valueLabel } from '../core/settings.js';
import { wayTo } from '../core/tables.js';
import { t } from '../core/words.js';
import { forgetfulNote } from '../parts/forgetful.js';
import { LONGEST_NAME, textField } from '../parts/field.js';
import { refusalText } from '../parts/refusal.js';
import { rulesForm, whatToMend } from '../parts/rules-form.js';
import { rulesToKeep, rulesToStartFrom } from '../parts/rules-shelf.js';
import { takeCard } from './taken.js';
import { yourTables } from './yours.js';

const SIDES = ['north_south', 'east_west'];
const MAX_PLAYERS = 8;
const FIELDS_SHOWN = new Set(['name', 'host_name', 'players', 'side_names', 'names']);

/** @param {Home} home */
export function draw(home) {
  if (home.opened) return openedScreen(home.opened);
  return html`<main class="home">
    <header>
      <p class="brand">${t('ui.brand')}</p>
      <p class="quiet">${t('ui.home.tagline')}</p>
    </header>
    ${forgetfulNote()} ${yourTables(home)} ${joinCard(home)} ${openCard(home)} ${takeCard(home)}
  </main>`;
}

/** @param {Home} home */
function joinCard(home) {
  const join = (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && home.join();
  return html`<section class="panel stack" @keydown=${join}>
    <h2>${t('ui.home.join_title')}</h2>
    <div class="join code-field">
      ${textField({
        label: t('ui.home.code'),
        value: home.code,
        set: (code) => home.typeCode(code),
        help: t('ui.home.code_help'),
        longest: 20,
        kind: 'code',
      })}
      <button ?disabled=${!home.code.trim()} @click=${() => home.join()}>${t('ui.home.join')}</button>
    </div>
  </section>`;
}

/** @param {Home} home */
function openCard(home) {
  const { game, opening, refused } = home;
  const refusal = (/** @type {string[]} */ ...fields) =>
    refused?.field && fields.includes(refused.field.split('.')[0] ?? '') ? refusalText(refused) : '';
  const mend = game ? whatToMend(game, opening.settings, opening.numbers) : '';
  const next = home.isTakingRules ? 'ui.rules.coming' : opening.host.trim() ? 'ui.open.open' : 'ui.open.name_first';
  const text = mend || t(home.linkedRules && !home.isTakingRules ? 'ui.rules.ask_again' : next);
  const isReady = home.linkedRules ? !home.isTakingRules : game && opening.host.trim() && !mend && !home.isOpening;
  return html`<section class="panel stack open-table">
    <h2>${t('ui.home.open_title')}</h2>
    <div class="segments" role="group" aria-label=${t('ui.open.game')}>
      ${home.games.map(
        (each) =>
          html`<button aria-pressed=${each === game} @click=${() => home.chooseGame(each.key)}>${each.title}</button>`,
      )}
    </div>
    <div class="two">
      ${textField({
        label: t('ui.open.your_name'),
        value: opening.host,
        set: (host) => home.type({ host }),
        refusal: refusal('host_name'),
        autocomplete: 'given-name',
        longest: LONGEST_NAME,
      })}
      ${textField({
        label: t('ui.open.table_name'),
        value: opening.name,
        set: (name) => home.type({ name }),
        refusal: refusal('name'),
        placeholder: t('ui.open.table_name_hint'),
        longest: LONGEST_NAME,
      })}
    </div>
    ${game ? who(home, game, refusal('players'), refusal('side_names', 'names')) : nothing}
    ${game ? rules(home, game) : html`<p class="quiet" role="status">${t(home.areGamesLate ? 'ui.link.asking_again' : 'ui.link.connecting')}</p>`}
    ${
      refused && !FIELDS_SHOWN.has(refused.field?.split('.')[0] ?? '')
        ? html`<p class="refusal" role="alert">${refusalText(refused)}</p>`
        : nothing
    }
    <button class="main" ?disabled=${!isReady || home.isTakingRules} @click=${() => home.open()}>${text}</button>
  </section>`;
}

/**
 * Names for the sides; or, where every player is a side, the players.
 *
 * @param {Home} home
 * @param {GameOffer} game
 * @param {string} playersRefusal
 * @param {string} sidesRefusal
 */
function who(home, game, playersRefusal, sidesRefusal) {
  if (!game.seats.length) return players(home, playersRefusal);
  const { sides } = home.opening;
  return html`<div class="two">
    ${SIDES.map((side, index) =>
      textField({
        label: t('ui.open.side_name', { side }),
        value: sides[side] ?? '',
        set: (name) => home.type({ sides: { ...home.opening.sides, [side]: name } }),
        placeholder: position(side),
        refusal: index === 0 ? sidesRefusal : '',
        longest: LONGEST_NAME,
      }),
    )}
  </div>`;
}

/**
 * @param {Home} home
 * @param {string} refusal
 */
function players(home, refusal) {
  const { players: names } = home.opening;
  const set = (/** @type {number} */ index, /** @type {string} */ name) =>
    home.type({ players: home.opening.players.map((each, place) => (place === index ? name : each)) });
  return html`<div class="stack">
    <div class="two">
      ${names.map((name, index) =>
        textField({
          label: t('ui.open.player', { number: index + 1 }),
          value: name,
          set: (typed) => set(index, typed),
          longest: LONGEST_NAME,
        }),
      )}
    </div>
    ${
      names.length < MAX_PLAYERS
        ? html`<button class="chip" @click=${() => home.type({ players: [...names, ''] })}>
            ${t('ui.open.one_more')}
          </button>`
        : nothing
    }
    ${refusal ? html`<p class="refusal" role="alert">${refusal}</p>` : nothing}
  </div>`;
}

/**
 * @param {Home} home
 * @param {GameOffer} game
 */
function rules(home, game) {
  const { settings } = home.opening;
  const rules = { game, settings, choose: (/** @type {SavedRules} */ chosen) => home.startFrom(chosen) };
  return html`<div class="stack">
    ${rulesToStartFrom(home.shelf, rules)}
    <details class="all-rules">
      <summary>
        <span class="strong">${t('ui.open.rules')}</span> <span class="quiet">${inShort(home, game)}</span>
      </summary>
      <div class="stack">
        ${rulesForm({
          game,
          settings,
          typed: home.opening.numbers,
          set: (changed, typed) => {
            const { settings: before, numbers } = home.opening;
            home.type({ settings: { ...before, ...changed }, numbers: { ...numbers, ...typed } });
          },
          refused: home.refused,
        })}
      </div>
    </details>
    ${rulesToKeep(home.shelf, rules)}
  </div>`;
}

/**
 * The first setting, and whatever is not as usual.
 *
 * @param {Home} home
 * @param {GameOffer} game
 */
function inShort(home, game) {
  const complete = completeSettings(game, home.opening.settings);
  const told = game.settings.filter((setting, place) => place === 0 || complete[setting.key] !== setting.default);
  return told.map((setting) => `${setting.label} ${valueLabel(setting, complete[setting.key] ?? null)}`).join(' · ');
}

/** @param {{code: string, phrase: string}} opened */
function openedScreen({ code, phrase }) {
  return html`<main class="home">
    <header>
      <p class="brand">${t('ui.brand')}</p>
    </header>
    <section class="panel stack">
      <h1>${t('ui.opened.title', { code })}</h1>
      <p>${t('ui.opened.text')}</p>
      <p class="phrase" translate="no">${phrase}</p>
      <p class="quiet">${t('ui.opened.why')}</p>
      ${forgetfulNote()}
      <a class="button main" href=${wayTo(code)} @click=${() => keep('opened', null)}>${t('ui.opened.go_on')}</a>
    </section>
  </main>`;
}
