/**
 * Entering a round of Pack on a phone: cards player by player; who declared, the final trick and bonus a chip away.
 *
 * @import {Entry} from '../core/types.js'
 * @import {Json} from '../protocol.js'
 * @import {Form, HandForm} from './index.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { plain as number, t } from '../core/words.js';
import { digitPad } from '../parts/pad.js';
import { refusalBeside } from '../parts/refusal.js';

/** Who did it, of the players; asked in place of the pad. */
const ASKED = /** @type {const} */ (['declarer', 'final_trick', 'dealer']);
const TYPING = 'typing';
const MAX_TYPED = 999;

/**
 * @param {Entry} entry
 * @param {'cards' | 'bonus'} member
 */
function numbersIn(entry, member) {
  const value = entry[member];
  return /** @type {Record<string, Json>} */ (value && typeof value === 'object' ? value : Object.create(null));
}

/** @param {Entry} entry */
export const cardsIn = (entry) => numbersIn(entry, 'cards');

/** @param {HandForm} form */
function nextPlayer({ view, entry }) {
  return view.game.sides.find((player) => typeof cardsIn(entry)[player] !== 'number');
}

/**
 * Whose number is being typed, and which of the two.
 *
 * @param {HandForm} form
 * @returns {{member: 'cards' | 'bonus', player: string}}
 */
function aimOf(form) {
  const [member, ...name] = (form.aim.target ?? '').split('.');
  const player = form.view.game.sides.find((each) => each === name.join('.'));
  if (player && (member === 'cards' || member === 'bonus')) return { member, player };
  return { member: 'cards', player: nextPlayer(form) ?? form.view.game.sides[0] ?? '' };
}

/** @param {HandForm} form */
function body(form) {
  const asked = ASKED.find((each) => each === form.aim.target);
  return html`
    <p class="under-title">${t('games.pack.deals', { dealer: dealerOf(form) })}</p>
    <div class="targets many">${form.view.game.sides.map((player, index) => playerButton(form, player, index))}</div>
    ${refusalBeside(form, ['cards', 'bonus', 'declarer', 'final_trick', 'dealer'])}
    ${asked ? picker(form, asked) : pad(form)} ${chips(form)}
  `;
}

/** @param {HandForm} form */
function dealerOf({ entry, view, isCorrection, hand }) {
  const recorded = isCorrection ? view.hands[hand - 1]?.dealer : view.in_play.dealer;
  return String(entry['dealer'] ?? recorded ?? '');
}

/**
 * @param {HandForm} form
 * @param {string} player
 * @param {number} index
 */
function playerButton(form, player, index) {
  const { member, player: aimed } = aimOf(form);
  const cards = cardsIn(form.entry)[player];
  const bonus = numbersIn(form.entry, 'bonus')[player];
  const isOpen = typeof cards !== 'number';
  return html`<button
    class="target side-${index + 1}"
    aria-pressed=${aimed === player}
    @click=${() => form.aimAt({ target: `${member === 'bonus' ? 'bonus' : 'cards'}.${player}`, step: null })}
  >
    <span class="name" translate="no">${player}</span>
    <span
      ><span translate="no" class="value ${isOpen ? 'is-open' : ''}">${isOpen ? '–' : number(cards)}</span>${
        bonus ? html`<span class="about">+${bonus}</span>` : nothing
      }</span
    >
  </button>`;
}

/** @param {HandForm} form */
function pad(form) {
  const { member, player } = aimOf(form);
  const value = numbersIn(form.entry, member)[player];
  const next = member === 'cards' ? nextPlayer(form) : undefined;
  const set = (/** @type {number | null} */ typed) => {
    if (typed !== null && typed > MAX_TYPED) return;
    form.lay(
      { [member]: { [player]: typed } },
      { target: `${member}.${player}`, step: typed === null ? null : TYPING },
    );
  };
  return html`
    <p class="strong">${t(`games.pack.${member}_of`, { player })}</p>
    ${digitPad({
      label: t(`games.pack.${member}_of`, { player }),
      value: typeof value === 'number' ? value : null,
      isFresh: form.aim.step !== TYPING,
      set,
      next: next ? () => form.aimAt({ target: `cards.${next}`, step: null }) : null,
    })}
  `;
}

/**
 * @param {HandForm} form
 * @param {typeof ASKED[number]} what
 */
function picker(form, what) {
  const pick = (/** @type {string | null} */ player) => form.lay({ [what]: player }, { target: null, step: null });
  return html`<div class="stack">
    <p class="strong">${t(`games.pack.${what}_ask`)}</p>
    <div class="targets">
      ${form.view.game.sides.map(
        (player) =>
          html`<button @click=${() => pick(player)}><span class="name" translate="no">${player}</span></button>`,
      )}
    </div>
    <button @click=${() => pick(null)}>${t(`games.pack.${what}_none`)}</button>
  </div>`;
}

/** @param {HandForm} form */
function chips(form) {
  const { member, player } = aimOf(form);
  const isBonus = member === 'bonus';
  const aimBonus = () => form.aimAt({ target: isBonus ? null : `bonus.${player}`, step: null });
  return html`<div class="chips">
    ${ASKED.map((what) => {
      const who = form.entry[what];
      const isAsking = form.aim.target === what;
      return html`<button
        class="chip"
        aria-pressed=${isAsking || Boolean(who)}
        @click=${() => form.aimAt({ target: isAsking ? null : what, step: null })}
      >
        ${t(who ? `games.pack.${what}_is` : `games.pack.${what}`, { player: who })}
      </button>`;
    })}
    <button class="chip" aria-pressed=${isBonus} @click=${aimBonus}>${t('games.pack.bonus')}</button>
  </div>`;
}

/** @type {Form} */
export const form = {
  title: ({ hand }) => t('games.pack.title', { hand }),
  body,
  isReady: (hand) => nextPlayer(hand) === undefined,
  isShowingResult: () => true,
  next: (hand) => ({ text: t('games.pack.next', { player: nextPlayer(hand) }) }),
  isNotedAtOnce: (part) => 'declarer' in part || 'dealer' in part,
};
