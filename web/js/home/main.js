/**
 * The first page: open a table in seconds, or join one by its code.
 *
 * @import {GameOffer, Settings} from '../core/types.js'
 * @import {SavedRules} from '../core/saved-rules.js'
 * @import {TypedNumbers} from '../core/settings.js'
 * @import {Refusal} from '../core/types.js'
 */

import { ask, post, refusalIn } from '../core/ask.js';
import { areGamesLate, offeredGames } from '../core/games.js';
import { Drawing } from '../core/drawing.js';
import { becomeKnown, tidyCode } from '../core/identity.js';
import { keep, recall } from '../core/keep.js';
import { nameEverything } from '../core/names.js';
import { gameInFile } from '../core/records.js';
import { whenRulesCome } from '../core/rulebook.js';
import { newSecret } from '../core/secret.js';
import { oddSettings, whatDiffers } from '../core/settings.js';
import { forgetTable, rememberTable, wayTo } from '../core/tables.js';
import { loadWords, t } from '../core/words.js';
import { Shelf } from '../parts/rules-shelf.js';
import { draw } from './draw.js';

/**
 * @typedef {object} Opening  what is typed of a table to be opened
 * @property {string} key
 * @property {string} name
 * @property {string} host
 * @property {Record<string, string>} sides
 * @property {string[]} players
 * @property {Settings} settings
 * @property {TypedNumbers} numbers  typed for settings, and not yet taken
 */

export class Home {
  code = '';
  /** @type {Opening} */
  opening = {
    key: '',
    name: '',
    host: /** @type {string | null} */ (recall('name')) ?? '',
    sides: {},
    players: ['', '', ''],
    settings: {},
    numbers: {},
  };
  /** @type {Refusal | null} */
  refused = null;
  isOpening = false;
  /** The rules of a link are on their way: a table opened now would play by others. */
  isTakingRules = false;
  /** The rules of a link that have not come: they are asked for with the next tap. @type {{key: string, code: string} | null} */
  linkedRules = null;
  /** A game out of a file. @type {{file: string, game: ReturnType<typeof gameInFile>, refused: Refusal | null}} */
  taken = { file: '', game: null, refused: null };
  shelf = new Shelf(() => redraw());
  /** A table that was opened, until somebody has its recovery phrase. @type {{code: string, phrase: string} | null} */
  opened = recall('opened');
  /** The table that is about to be forgotten. @type {string | null} */
  forgetting = null;
  /** Kept over a second try, so that an answer that got lost does not leave a table nobody can enter. */
  #hostToken = newSecret();

  get games() {
    return offeredGames(redraw);
  }

  get areGamesLate() {
    return areGamesLate(redraw);
  }

  /** @returns {GameOffer | undefined} */
  get game() {
    return this.games.find((game) => game.key === this.opening.key) ?? this.games[0];
  }

  /** @param {Partial<Opening>} part */
  type(part) {
    this.opening = { ...this.opening, ...part };
    this.refused = null;
    redraw();
  }

  /** @param {string} key */
  chooseGame(key) {
    this.shelf.base = null;
    this.type({ key, settings: {}, numbers: {} });
  }

  /** @param {SavedRules} rules */
  startFrom({ key, settings }) {
    if (this.games.some((game) => game.key === key)) this.type({ key, settings, numbers: {} });
    else this.shelf.set({ refused: { code: 'unknown_game', facts: { game: key } } });
  }

  /**
   * The rules that a link to this page brings: `/?game=spades&rules=CODE`.
   *
   * @param {string} key
   * @param {string} code
   */
  async takeRules(key, code) {
    this.isTakingRules = true;
    this.refused = null;
    redraw();
    try {
      const rules = await ask(`/api/rules/${encodeURIComponent(key)}?rules=${encodeURIComponent(code)}`);
      this.shelf.base = { name: t('ui.shelf.from_link'), settings: rules.settings };
      this.opening = { ...this.opening, key: rules.key, settings: rules.settings, numbers: {} };
      this.linkedRules = null;
    } catch (error) {
      this.refused = refusalIn(error);
      // A table opened now would play by other rules: first these are asked for once more.
      this.linkedRules = this.refused.code === 'offline' ? { key, code } : null;
    }
    this.isTakingRules = false;
    redraw();
  }

  /** @param {string} code */
  typeCode(code) {
    this.code = code;
    redraw();
  }

  join() {
    const code = tidyCode(this.code);
    if (code) location.href = wayTo(code);
  }

  /** @param {string | null} code  of the table to be forgotten, perhaps */
  ask(code) {
    this.forgetting = code;
    redraw();
  }

  /** @param {string} code */
  forget(code) {
    forgetTable(code);
    this.ask(null);
  }

  async open() {
    const { game, opening, linkedRules } = this;
    if (linkedRules) return this.takeRules(linkedRules.key, linkedRules.code);
    if (!game || this.isOpening || oddSettings(game, opening.settings, opening.numbers).length) return;
    this.refused = await this.#post('/api/tables', this.#asked(game, opening));
    redraw();
    if (this.refused)
      requestAnimationFrame(() => document.querySelector('.refusal')?.scrollIntoView({ block: 'center' }));
  }

  /** @param {{name: string, text: string}} file */
  takeFile({ name, text }) {
    const game = gameInFile(text);
    this.taken = { file: name, game, refused: game ? null : { code: 'malformed', facts: {} } };
    redraw();
  }

  /** Open a table with the game out of the file. */
  async openTaken() {
    const { taken, opening } = this;
    if (!taken.game || this.isOpening) return;
    const about = { ...this.#names(opening), host_token: this.#hostToken };
    const refused = await this.#post('/api/tables/import', { ...about, ...taken.game });
    this.taken = { ...taken, refused };
    redraw();
  }

  /**
   * Ask for a table; null if it is open.
   *
   * @param {string} address
   * @param {object} body
   * @returns {Promise<Refusal | null>}
   */
  async #post(address, body) {
    this.isOpening = true;
    redraw();
    try {
      this.#opened(await post(address, body));
      return null;
    } catch (error) {
      return refusalIn(error);
    } finally {
      this.isOpening = false;
    }
  }

  /** @param {Opening} opening */
  #names({ name, host }) {
    return { name: name.trim() || t('ui.open.table_name_default', { name: host.trim() }), host_name: host.trim() };
  }

  /**
   * @param {GameOffer} game
   * @param {Opening} opening
   */
  #asked(game, opening) {
    const { sides, players, settings } = opening;
    const named = Object.entries(sides).filter(([, own]) => own.trim());
    return {
      ...this.#names(opening),
      key: game.key,
      settings: whatDiffers(game, settings),
      host_token: this.#hostToken,
      ...(game.seats.length
        ? { side_names: Object.fromEntries(named) }
        : { players: players.filter((each) => each.trim()) }),
    };
  }

  /** @param {{code: string, player_token: string, recovery_phrase: string}} body */
  #opened(body) {
    keep('name', this.opening.host.trim());
    becomeKnown(body.code, this.#hostToken);
    keep('invite', body.player_token, body.code);
    rememberTable(body.code, this.#names(this.opening).name);
    this.opened = { code: body.code, phrase: body.recovery_phrase };
    keep('opened', this.opened);
    scrollTo(0, 0);
  }
}

await loadWords();
nameEverything(() => null);
const home = new Home();
const drawing = new Drawing();
let isFrameAsked = false;

function redraw() {
  if (isFrameAsked) return;
  isFrameAsked = true;
  requestAnimationFrame(() => {
    isFrameAsked = false;
    drawing.draw(() => draw(home));
  });
}

whenRulesCome(redraw);
redraw();
const asked = new URLSearchParams(location.search);
if (asked.get('code')) home.typeCode(asked.get('code') ?? '');
if (asked.get('game')) await home.takeRules(asked.get('game') ?? '', asked.get('rules') ?? '');
