/**
 * The first page: open a table in seconds, or join one by its code.
 *
 * @import {GameOffer, Settings} from '../core/types.js'
 * @import {SavedRules} from '../core/saved-rules.js'
 * @import {Refusal} from '../parts/refusal.js'
 */

import { render } from '../../vendor/lit-html/lit-html.js';
import { offeredGames } from '../core/games.js';
import { becomeKnown, tidyCode } from '../core/identity.js';
import { keep, recall } from '../core/keep.js';
import { nameEverything } from '../core/names.js';
import { whenRulesCome } from '../core/rulebook.js';
import { newSecret } from '../core/secret.js';
import { whatDiffers } from '../core/settings.js';
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
  };
  /** @type {Refusal | null} */
  refused = null;
  isOpening = false;
  shelf = new Shelf(() => redraw());
  /** @type {{code: string, phrase: string} | null} */
  opened = null;
  /** Kept over a second try, so that an answer that got lost does not leave a table nobody can enter. */
  #hostToken = newSecret();

  get games() {
    return offeredGames(redraw);
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
    this.type({ key, settings: {} });
  }

  /** @param {SavedRules} rules */
  startFrom({ key, settings }) {
    if (this.games.some((game) => game.key === key)) this.type({ key, settings });
    else this.shelf.set({ refused: { code: 'unknown_game', facts: { game: key } } });
  }

  /**
   * The rules that a link to this page brings: `/?game=spades&rules=CODE`.
   *
   * @param {string} key
   * @param {string} code
   */
  async takeRules(key, code) {
    try {
      const answer = await fetch(`/api/rules/${encodeURIComponent(key)}?rules=${encodeURIComponent(code)}`);
      const body = await answer.json();
      if (!answer.ok) this.refused = body;
      else {
        this.shelf.base = { name: t('ui.shelf.from_link'), settings: body.settings };
        this.opening = { ...this.opening, key: body.key, settings: body.settings };
      }
    } catch {
      this.refused = { code: 'offline', facts: {} };
    }
    redraw();
  }

  /** @param {string} code */
  typeCode(code) {
    this.code = code;
    redraw();
  }

  join() {
    const code = tidyCode(this.code);
    if (code) location.href = `/t/${encodeURIComponent(code)}`;
  }

  async open() {
    const { game, opening } = this;
    if (!game || this.isOpening) return;
    this.isOpening = true;
    this.refused = null;
    redraw();
    try {
      const answer = await fetch('/api/tables', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(this.#asked(game, opening)),
      });
      this.#answered(answer.ok, await answer.json());
    } catch {
      this.refused = { code: 'offline', facts: {} };
    }
    this.isOpening = false;
    redraw();
  }

  /**
   * @param {GameOffer} game
   * @param {Opening} opening
   */
  #asked(game, { name, host, sides, players, settings }) {
    const named = Object.entries(sides).filter(([, own]) => own.trim());
    return {
      name: name.trim() || t('ui.open.table_name_default', { name: host.trim() }),
      host_name: host.trim(),
      key: game.key,
      settings: whatDiffers(game, settings),
      host_token: this.#hostToken,
      ...(game.seats.length
        ? { side_names: Object.fromEntries(named) }
        : { players: players.filter((each) => each.trim()) }),
    };
  }

  /**
   * @param {boolean} isOpened
   * @param {any} body
   */
  #answered(isOpened, body) {
    if (!isOpened) {
      this.refused = body;
      return;
    }
    keep('name', this.opening.host.trim());
    becomeKnown(body.code, this.#hostToken);
    keep('invite', body.player_token, body.code);
    this.opened = { code: body.code, phrase: body.recovery_phrase };
    scrollTo(0, 0);
  }
}

await loadWords();
nameEverything(() => null);
const home = new Home();
const place = /** @type {HTMLElement} */ (document.getElementById('page'));
let isFrameAsked = false;

function redraw() {
  if (isFrameAsked) return;
  isFrameAsked = true;
  requestAnimationFrame(() => {
    isFrameAsked = false;
    render(draw(home), place);
  });
}

whenRulesCome(redraw);
redraw();
const asked = new URLSearchParams(location.search);
if (asked.get('game')) await home.takeRules(asked.get('game') ?? '', asked.get('rules') ?? '');
