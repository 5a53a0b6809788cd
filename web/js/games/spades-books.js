/**
 * The books of a hand: one side's fill the other's. Nil books, the first seven and reneges are a chip away.
 *
 * @import {HandForm} from './index.js'
 * @import {Side} from './spades-entry.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { playerAt, position, sideName } from '../core/names.js';
import { plain, t } from '../core/words.js';
import { numberPad } from '../parts/pad.js';
import { refusalBeside } from '../parts/refusal.js';
import { bidOf, BOOKS, booksIn, booksPart, nilBidders, nilBooksIn, renegesIn, SIDES, sideOf } from './spades-entry.js';

const NIL_BOOKS = 'nil_books.';
const RENEGE = 'renege.';

/** @param {HandForm} form */
export function booksStep(form) {
  return html`
    <div class="targets">${SIDES.map((side, index) => sideTarget(form, side, index))}</div>
    ${refusalBeside(form, ['books'])} ${isAskingForRenege(form) ? renegePicker(form) : pad(form)} ${chips(form)}
    ${refusalBeside(form, ['nil_books', 'first_seven', 'reneges'])}
  `;
}

/**
 * @param {HandForm} form
 * @returns {Side}
 */
function sideAimedAt(form) {
  return SIDES.find((side) => side === form.aim.target) ?? SIDES[0];
}

/**
 * @param {HandForm} form
 * @param {Side} side
 * @param {number} index
 */
function sideTarget(form, side, index) {
  const books = booksIn(form.entry)[side];
  const isOpen = typeof books !== 'number';
  const isAimed = !form.aim.target?.startsWith(NIL_BOOKS) && !isAskingForRenege(form) && sideAimedAt(form) === side;
  return html`<button
    class="target side-${index + 1}"
    aria-pressed=${isAimed}
    @click=${() => form.aimAt({ target: side })}
  >
    <span class="name" translate="no">${sideName(form.view, side)}</span>
    <span
      ><span translate="no" class="value ${isOpen ? 'is-open' : ''}">${isOpen ? '–' : plain(books)}</span
      ><span class="about">${about(form, side)}</span></span
    >
  </button>`;
}

/**
 * What the server says those books do to the bid: `makes 6, 2 bags`.
 *
 * @param {HandForm} form
 * @param {Side} side
 */
function about(form, side) {
  const { total, isBlind } = bidOf(form.entry, side);
  const result = form.preview?.hand?.sides[side];
  if (!result)
    return total === null ? '' : t(isBlind ? 'games.spades.blind_is' : 'games.spades.bid_is', { bid: total });
  if (total === null) return '';
  if (result.figures['set']) return t('games.spades.is_set', { bid: total });
  const bags = Number(result.figures['bags'] ?? 0);
  return t(bags ? 'games.spades.makes_with_bags' : 'games.spades.makes', { bid: total, bags });
}

/** @param {HandForm} form */
function pad(form) {
  const { target } = form.aim;
  if (target?.startsWith(NIL_BOOKS)) return nilPad(form, target.slice(NIL_BOOKS.length));
  const side = sideAimedAt(form);
  const books = booksIn(form.entry)[side];
  return numberPad({
    label: t('games.spades.books_of', { side }),
    upTo: BOOKS,
    value: typeof books === 'number' ? books : null,
    set: (value) => form.lay(booksPart(side, value), { target: side, step: 'books' }),
  });
}

/**
 * @param {HandForm} form
 * @param {string} seat
 */
function nilPad(form, seat) {
  const took = nilBooksIn(form.entry)[seat];
  const label = t('games.spades.nil_books_of', { name: playerAt(form.view, seat) || position(seat) });
  return html`
    <p class="strong">${label}</p>
    ${numberPad({
      label,
      upTo: BOOKS,
      value: typeof took === 'number' ? took : 0,
      set: (value) => form.lay({ nil_books: { [seat]: value || null } }, { target: null }),
    })}
  `;
}

/** @param {HandForm} form */
function isAskingForRenege({ aim }) {
  return aim.target?.startsWith(RENEGE) ?? false;
}

/** @param {HandForm} form */
function renegesWhenAsked({ aim }) {
  return Number(aim.target?.slice(RENEGE.length));
}

/** @param {HandForm} form */
function renegePicker(form) {
  const isEnd = form.view.rules.settings['renege_penalty'] === 'automatic_loss';
  const pick = (/** @type {string} */ seat) => {
    const reneges = renegesIn(form.entry);
    // Two phones that saw the same renege: one that came in while this one was asking is not counted again.
    const isKnown = reneges.slice(renegesWhenAsked(form)).includes(seat);
    form.lay(isKnown ? {} : { reneges: [...reneges, seat] }, { target: null });
  };
  return html`<div class="stack">
    <p class="strong">${t(isEnd ? 'games.spades.renege_ends' : 'games.spades.renege_by')}</p>
    <div class="targets">
      ${form.view.game.seats.map(
        (seat) =>
          html`<button class=${isEnd ? 'danger' : ''} @click=${() => pick(seat)}>
            <span class="name" translate="no">${playerAt(form.view, seat) || position(seat)}</span>
          </button>`,
      )}
    </div>
    <button @click=${() => form.aimAt({ target: null })}>${t('games.spades.no_renege')}</button>
  </div>`;
}

/** @param {HandForm} form */
function chips(form) {
  const isAsking = isAskingForRenege(form);
  const ask = `${RENEGE}${renegesIn(form.entry).length}`;
  return html`<div class="chips">
    ${nilBidders(form.entry).map((seat) => nilChip(form, seat))} ${firstSevenChip(form)}
    ${renegesIn(form.entry).map((seat, index) => renegeChip(form, seat, index))}
    <button class="chip" aria-pressed=${isAsking} @click=${() => form.aimAt({ target: isAsking ? null : ask })}>
      ${t('games.spades.renege')}
    </button>
  </div>`;
}

/**
 * @param {HandForm} form
 * @param {string} seat
 */
function nilChip(form, seat) {
  const took = Number(nilBooksIn(form.entry)[seat] ?? 0);
  const target = `${NIL_BOOKS}${seat}`;
  const isAimed = form.aim.target === target;
  return html`<button
    class="chip side-${SIDES.indexOf(sideOf(seat)) + 1}"
    aria-pressed=${isAimed}
    @click=${() => form.aimAt({ target: isAimed ? null : target })}
  >
    ${took ? t('games.spades.nil_took', { seat, books: took }) : t('games.spades.nil_held', { seat })}
  </button>`;
}

/** @param {HandForm} form */
function firstSevenChip(form) {
  if (form.view.rules.settings['first_seven'] === null) return nothing;
  const now = form.entry['first_seven'] ?? null;
  const next = now === null ? SIDES[0] : now === SIDES[0] ? SIDES[1] : null;
  return html`<button class="chip" aria-pressed=${now !== null} @click=${() => form.lay({ first_seven: next })}>
    ${now === null ? t('games.spades.first_seven') : t('games.spades.first_seven_of', { side: now })}
  </button>`;
}

/**
 * @param {HandForm} form
 * @param {string} seat
 * @param {number} index
 */
function renegeChip(form, seat, index) {
  const without = renegesIn(form.entry).filter((_, place) => place !== index);
  return html`<button class="chip" aria-pressed="true" @click=${() => form.lay({ reneges: without })}>
    ${t('games.spades.renege_of', { seat })}
  </button>`;
}
