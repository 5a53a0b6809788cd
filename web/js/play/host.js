/**
 * The panels about the table: names, rules before the first hand is in, ending the game.
 *
 * @import {Settings} from '../core/types.js'
 * @import {TypedNumbers} from '../core/settings.js'
 * @import {SavedRules} from '../core/saved-rules.js'
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { areGamesLate, offeredGames } from '../core/games.js';
import { isEachForThemselves, position } from '../core/names.js';
import { whatDiffers } from '../core/settings.js';
import { t } from '../core/words.js';
import { LONGEST_NAME, textField } from '../parts/field.js';
import { refusalText } from '../parts/refusal.js';
import { rulesForm, whatToMend } from '../parts/rules-form.js';
import { rulesToKeep, rulesToStartFrom } from '../parts/rules-shelf.js';
import { askedAboutTheEnd } from './question.js';
import { backBar } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function namesPanel(play, view) {
  const isHost = play.store.state.role === 'host';
  const table = /** @type {string} */ (play.typed['table'] ?? view.table.name);
  const side = (/** @type {string} */ key) => /** @type {string} */ (play.typed[key] ?? view.people.sides[key] ?? '');
  const hasSides = !isEachForThemselves(view);
  const save = () => {
    const { sides } = view.game;
    if (isHost && table !== view.table.name) play.do({ type: 'name_table', name: table });
    const typed = hasSides ? sides.filter((each) => side(each) !== (view.people.sides[each] ?? '')) : [];
    const names = Object.fromEntries(typed.map((each) => [each, side(each)]));
    if (typed.length) play.do({ type: 'name_sides', names });
    play.show('menu');
  };
  return html`<main class="work">
      <h1>${t('ui.menu.names')}</h1>
      ${isHost ? nameField(t('ui.open.table_name'), table, (name) => play.type({ table: name })) : nothing}
      ${
        hasSides
          ? view.game.sides.map((key) => nameField(position(key), side(key), (name) => play.type({ [key]: name })))
          : nothing
      }
    </main>
    ${backBar(play, html`<button class="main" @click=${save}>${t('ui.names.save')}</button>`)}`;
}

/**
 * @param {string} label
 * @param {string} value
 * @param {(name: string) => void} set
 */
function nameField(label, value, set) {
  return textField({ label, value, set, longest: LONGEST_NAME });
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function rulesPanel(play, view) {
  const games = offeredGames(() => play.store.touch());
  const game = games.find((each) => each.key === view.rules.key);
  const chosen = () => /** @type {Settings} */ (play.typed['settings'] ?? view.rules.settings);
  const settings = chosen();
  const { refused } = play;
  const choose = (/** @type {SavedRules} */ rules) => {
    if (rules.key === view.rules.key) play.type({ settings: rules.settings, numbers: {} });
    else play.shelf.set({ refused: { code: 'other_game', facts: { title: view.rules.title } } });
  };
  const numbers = () => /** @type {TypedNumbers} */ (play.typed['numbers'] ?? {});
  const set = (/** @type {Settings} */ changed, /** @type {TypedNumbers} */ typed) =>
    play.type({ settings: { ...chosen(), ...changed }, numbers: { ...numbers(), ...typed } });
  const mend = game ? whatToMend(game, settings, numbers()) : '';
  const save = () => {
    if (!game || whatToMend(game, chosen(), numbers())) return;
    const players = game.seats.length ? {} : { players: view.game.sides };
    const differing = whatDiffers(game, chosen());
    play.do({ type: 'set_rules', game: view.game.number, key: game.key, settings: differing, ...players });
    play.show(null);
  };
  return html`<main class="work">
      <h1>${t('ui.rules.title', { title: view.rules.title })}</h1>
      <p class="quiet">${t('ui.rules.until')}</p>
      ${refused ? html`<p class="refusal" role="alert">${refusalText(refused)}</p>` : nothing}
      ${
        game
          ? html`${rulesToStartFrom(play.shelf, { game, settings, choose })}
            ${rulesForm({ game, settings, typed: numbers(), set, refused })}
            ${rulesToKeep(play.shelf, { game, settings, choose })}`
          : html`<p class="quiet" role="status">
              ${t(areGamesLate(() => play.store.touch()) ? 'ui.link.asking_again' : 'ui.link.connecting')}
            </p>`
      }
    </main>
    ${backBar(play, html`<button class="main" ?disabled=${!game || Boolean(mend)} @click=${save}>${mend || t('ui.rules.save')}</button>`)}`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function endPanel(play, view) {
  play.asked ??= askedAboutTheEnd(view);
  const end = () => {
    play.do({ type: 'end_game', game: view.game.number, hand: view.in_play.id, revision: play.revision });
    play.show(null);
  };
  return html`<main class="work">
      <h1>${t('ui.end.title')}</h1>
      <p>${t('ui.end.text')}</p>
    </main>
    ${backBar(play, html`<button class="main" @click=${end}>${t('ui.end.end')}</button>`)}`;
}
