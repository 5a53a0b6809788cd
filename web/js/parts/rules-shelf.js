/**
 * Rules to start from and to compare with: the game's own presets, and those that people keep on this device, by name.
 *
 * @import {GameOffer, Settings} from '../core/types.js'
 * @import {SavedRules} from '../core/saved-rules.js'
 * @import {Refusal} from '../core/types.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { fileName, saveFile } from '../core/files.js';
import { rulesInWords } from '../core/rulebook.js';
import { asFile, forgetRules, fromFile, savedRules, saveRules } from '../core/saved-rules.js';
import { completeSettings, differences, valueLabel, whatDiffers } from '../core/settings.js';
import { t } from '../core/words.js';
import { LONGEST_NAME, textField } from './field.js';
import { fileButton } from './file-button.js';
import { refusalText } from './refusal.js';

/** @typedef {{name: string, settings: Settings}} Base  what rules are compared with */

/**
 * @typedef {object} OnShelf  the rules at hand, and how others take their place
 * @property {GameOffer} game
 * @property {Settings} settings
 * @property {(rules: SavedRules) => void} choose
 */

export class Shelf {
  /** The name being typed. */
  name = '';
  /** @type {Base | null} */
  base = null;
  /** @type {Refusal | null} */
  refused = null;
  /** What was done last. */
  said = '';
  isOpen = false;
  redraw;

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
  }

  /** @param {Partial<Pick<Shelf, 'name' | 'base' | 'refused' | 'said' | 'isOpen'>>} part */
  set(part) {
    Object.assign(this, { refused: null, said: '' }, part);
    this.redraw();
  }
}

/**
 * @param {Shelf} shelf
 * @param {OnShelf} rules
 */
export function rulesToStartFrom(shelf, { game, settings, choose }) {
  const pick = (/** @type {Base} */ base) => {
    shelf.set({ base });
    choose({ key: game.key, ...base, settings: { ...base.settings } });
  };
  return html`${chips(t('ui.open.presets'), game, (base) => isSame(game, base.settings, settings), pick)}
  ${shelf.base ? whatIsDifferent(game, settings, shelf.base) : nothing}`;
}

/**
 * The same rules, only to compare with.
 *
 * @param {Shelf} shelf
 * @param {{game: GameOffer, settings: Settings}} rules
 */
export function comparison(shelf, { game, settings }) {
  const isBase = (/** @type {Base} */ base) => base.name === shelf.base?.name;
  const pick = (/** @type {Base} */ base) => shelf.set({ base: isBase(base) ? null : base });
  return html`<section class="panel stack no-print">
    <h2>${t('ui.shelf.compare')}</h2>
    ${chips(t('ui.shelf.compare'), game, isBase, pick)}
    ${shelf.base ? whatIsDifferent(game, settings, shelf.base, t('ui.shelf.same', { ...shelf.base })) : nothing}
  </section>`;
}

/**
 * @param {string} label
 * @param {GameOffer} game
 * @param {(base: Base) => boolean} isPressed
 * @param {(base: Base) => void} pick
 */
function chips(label, game, isPressed, pick) {
  const presets = game.presets.map((preset) => ({ name: preset.label, settings: preset.settings }));
  const bases = [...presets, ...savedRules().filter(({ key }) => key === game.key)];
  if (!bases.length) return nothing;
  return html`<div class="chips" role="group" aria-label=${label}>
    ${bases.map(
      (base) =>
        html`<button class="chip" aria-pressed=${isPressed(base)} @click=${() => pick(base)}>${base.name}</button>`,
    )}
  </div>`;
}

/**
 * @param {GameOffer} game
 * @param {Settings} one
 * @param {Settings} other
 */
function isSame(game, one, other) {
  return JSON.stringify(completeSettings(game, one)) === JSON.stringify(completeSettings(game, other));
}

/**
 * @param {GameOffer} game
 * @param {Settings} settings
 * @param {Base} base
 * @param {string} [ifNothing]
 */
function whatIsDifferent(game, settings, base, ifNothing = '') {
  const found = differences(game, settings, base.settings);
  if (!found.length) return ifNothing ? html`<p class="quiet">${ifNothing}</p>` : nothing;
  return html`<div class="differs">
    <p class="strong">${t('ui.shelf.differs', { name: base.name })}</p>
    <ul>
      ${found.map(
        ({ setting, here, there }) =>
          html`<li>
            ${setting.label}: ${valueLabel(setting, here)}
            <span class="quiet">${t('ui.shelf.there', { value: valueLabel(setting, there) })}</span>
          </li>`,
      )}
    </ul>
  </div>`;
}

/**
 * Saving the rules at hand under a name, as a file, as a link; and rules out of a file.
 *
 * @param {Shelf} shelf
 * @param {OnShelf} rules
 */
export function rulesToKeep(shelf, rules) {
  const toggled = (/** @type {Event} */ { target }) => {
    const { open } = /** @type {HTMLDetailsElement} */ (target);
    if (open !== shelf.isOpen) shelf.set({ isOpen: open });
  };
  return html`<details class="keep-rules" @toggle=${toggled}>
    <summary class="strong">${t('ui.shelf.keep')}</summary>
    ${shelf.isOpen ? html`<div class="stack">${saving(shelf, rules)} ${asFiles(shelf, rules)}</div>` : nothing}
  </details>`;
}

/**
 * @param {Shelf} shelf
 * @param {{game: GameOffer, settings: Settings}} rules
 */
export function saving(shelf, { game, settings }) {
  const name = shelf.name.trim();
  const rules = { name, key: game.key, settings: whatDiffers(game, settings) };
  const save = () => {
    saveRules(rules);
    shelf.set({ name: '', base: rules, said: t('ui.shelf.saved', { name }) });
  };
  const kept = savedRules().filter(({ key }) => key === game.key);
  const forget = (/** @type {SavedRules} */ each) => {
    forgetRules(each);
    shelf.set({ base: null, said: t('ui.shelf.deleted', { ...each }) });
  };
  return html`<div class="join">
      ${textField({ label: t('ui.shelf.name'), value: shelf.name, set: (typed) => shelf.set({ name: typed }), longest: LONGEST_NAME })}
      <button ?disabled=${!name} @click=${save}>${t('ui.shelf.save')}</button>
    </div>
    ${
      kept.length
        ? html`<div class="chips">
            ${kept.map((each) => html`<button class="chip" @click=${() => forget(each)}>${t('ui.shelf.delete', { ...each })}</button>`)}
          </div>`
        : nothing
    }
    ${shelf.said ? html`<p class="quiet small" role="status">${shelf.said}</p>` : nothing}`;
}

/**
 * @param {Shelf} shelf
 * @param {OnShelf} rules
 */
function asFiles(shelf, { game, settings, choose }) {
  const told = rulesInWords({ key: game.key, settings });
  const name = shelf.name.trim() || shelf.base?.name || game.title;
  const download = () =>
    saveFile(fileName(name, 'json'), asFile({ name, key: game.key, settings: whatDiffers(game, settings) }));
  const opened = (/** @type {{name: string, text: string}} */ file) => {
    const rules = fromFile(file.text);
    if (!rules) return shelf.set({ refused: { code: 'no_rules_in_file', facts: {} } });
    const named = { ...rules, name: rules.name || file.name };
    shelf.set({ base: named });
    choose(named);
  };
  return html`<div class="chips">
      <button class="chip" @click=${download}>${t('ui.shelf.to_file')}</button>
      ${fileButton({ label: t('ui.shelf.from_file'), accept: '.json,application/json', opened })}
      ${
        told
          ? html`<a class="button" href="/rules/${told.key}?rules=${told.code}" target="_blank" rel="noopener">
              ${t('ui.rules.share')}
            </a>`
          : nothing
      }
    </div>
    ${shelf.refused ? html`<p class="refusal" role="alert">${refusalText(shelf.refused)}</p>` : nothing}`;
}
