/**
 * The bids of a hand, seat by seat or side by side; each is seen by the others at once.
 *
 * @import {Json} from '../protocol.js'
 * @import {HandForm} from './index.js'
 * @import {Side} from './spades-entry.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { keep, recall } from '../core/keep.js';
import { playerAt, position, sideName } from '../core/names.js';
import { plain, t } from '../core/words.js';
import { LONGEST_NAME, textField } from '../parts/field.js';
import { numberPad } from '../parts/pad.js';
import { refusalBeside } from '../parts/refusal.js';
import {
  allowedIn,
  bidOf,
  bidPart,
  bidsIn,
  blindSidesIn,
  BOOKS,
  hasBid,
  isNil,
  SEATS_OF,
  SIDES,
  sideOf,
} from './spades-entry.js';

const BLIND = 'blind';

/**
 * By seat or by side, as this phone did it last.
 *
 * @param {HandForm} form
 * @returns {'seat' | 'side'}
 */
export function bidsBy({ entry }) {
  const kept = recall('bids_by');
  if (kept === 'seat' || kept === 'side') return kept;
  return SIDES.some((side) => bidsIn(entry)[side] !== undefined) ? 'side' : 'seat';
}

/**
 * Whose bid is still to come: in bidding order, but where players have phones of their own, each one's own seat first.
 *
 * @param {HandForm} form
 * @returns {string | undefined}
 */
export function nextToBid(form) {
  const bids = bidsIn(form.entry);
  const isOpen = (/** @type {string} */ seat) => bids[seat] === undefined && bids[sideOf(seat)] === undefined;
  if (bidsBy(form) === 'side') return SIDES.find((side) => !hasBid(form.entry, side));
  const isAlone = Object.keys(form.view.people.seats).length < 2;
  const mine = form.mySeat && !isAlone ? [form.mySeat] : [];
  return [...mine, ...seatsInOrder(form)].find(isOpen);
}

/** @param {HandForm} form */
function seatsInOrder({ view }) {
  return view.in_play.order.length ? view.in_play.order : view.game.seats;
}

/** @param {HandForm} form */
function targetOf(form) {
  const names = bidsBy(form) === 'side' ? [...SIDES] : seatsInOrder(form);
  const aimed = form.aim.target;
  return aimed && names.includes(aimed) ? aimed : (nextToBid(form) ?? names[0] ?? '');
}

/** @param {HandForm} form */
export function bidsStep(form) {
  const target = targetOf(form);
  const bid = bidsIn(form.entry)[target];
  const pad = numberPad({
    label: t('games.spades.bid_of', {
      who: SIDES.some((side) => side === target) ? sideName(form.view, target) : whoAt(form, target),
    }),
    upTo: BOOKS,
    value: typeof bid === 'number' ? bid : null,
    set: (value) => setBid(form, target, value),
  });
  return html`
    ${order(form)} ${bidsBy(form) === 'side' ? sideTargets(form, target) : seatTargets(form, target)}
    ${refusalBeside(form, ['bids', 'blind', 'allowed'])} ${override(form)}
    ${form.aim.target === BLIND ? blindPicker(form) : pad} ${chips(form, target)} ${waySwitch(form)}
  `;
}

/**
 * @param {HandForm} form
 * @param {string} seat
 */
function whoAt(form, seat) {
  return playerAt(form.view, seat) || position(seat);
}

/**
 * @param {HandForm} form
 * @param {string} target
 * @param {Json} bid
 */
function setBid(form, target, bid) {
  const wasComplete = SIDES.every((side) => hasBid(form.entry, side));
  form.lay(bidPart(form.entry, target, bid), { target: bid === null || wasComplete ? target : null });
}

/** @param {HandForm} form */
function order(form) {
  const seats = seatsInOrder(form);
  if (form.isCorrection || !seats.length) return nothing;
  return html`<p class="under-title">
    ${t('games.spades.deal_line', { dealer: form.view.in_play.dealer, first: seats[0] })}
  </p>`;
}

/**
 * @param {HandForm} form
 * @param {string} target
 */
function sideTargets(form, target) {
  return html`<div class="targets">
    ${SIDES.map((side, index) => {
      const told = bidOf(form.entry, side);
      return targetButton(form, {
        name: side,
        label: sideName(form.view, side),
        index,
        target,
        value: valueText(told.total, told.nils.length),
        about: aboutSide(form, side),
      });
    })}
  </div>`;
}

/**
 * @param {HandForm} form
 * @param {string} target
 */
function seatTargets(form, target) {
  return html`<div class="targets seats">
    ${seatsInOrder(form).map((seat) => {
      const bid = bidsIn(form.entry)[seat];
      const { isBlind } = bidOf(form.entry, sideOf(seat));
      return targetButton(form, {
        name: seat,
        label: playerAt(form.view, seat) || position(seat),
        index: SIDES.indexOf(sideOf(seat)),
        target,
        value: typeof bid === 'number' ? plain(bid) : isNil(bid) ? t(`games.spades.${bid}`) : '',
        about: typeof bid === 'number' && isBlind ? t('games.spades.blind') : '',
        letter: playerAt(form.view, seat) ? letterOf(seat) : nothing,
      });
    })}
  </div>`;
}

/**
 * All say where somebody sits, and so does the button with their name.
 *
 * @param {string} seat
 */
function letterOf(seat) {
  return html` <span class="letter" aria-hidden="true">${t(`ui.positions_letter.${seat}`)}</span
    ><span class="visually-hidden">${position(seat)}</span>`;
}

/**
 * @param {HandForm} form
 * @param {Side} side
 */
function aboutSide({ entry }, side) {
  const { total, isBlind } = bidOf(entry, side);
  if (isBlind) return t('games.spades.blind');
  return total !== null && !hasBid(entry, side) ? t('games.spades.so_far') : '';
}

/**
 * @param {HandForm} form
 * @param {{name: string, label: string, index: number, target: string, value: string, about: string, letter?: unknown}} button
 */
function targetButton(form, { name, label, index, target, value, about, letter = nothing }) {
  const look = value === '' ? 'is-open' : /^\d+$/.test(value) ? '' : 'is-word';
  return html`<button
    class="target side-${index + 1} ${isRefused(form, name) ? 'is-refused' : ''}"
    aria-pressed=${name === target}
    @click=${() => form.aimAt({ target: name, step: form.aim.step })}
  >
    <span class="whose"><span class="name" translate="no">${label}</span>${letter}</span>
    <span
      ><span translate="no" class="value ${look}">${value || '–'}</span
      >${about ? html`<span class="about">${about}</span>` : nothing}</span
    >
  </button>`;
}

/**
 * Whether what was refused is this one's bid, or its side's.
 *
 * @param {HandForm} form
 * @param {string} name
 */
function isRefused({ refused }, name) {
  const [member, of] = (refused?.field ?? '').split('.');
  if (!refused || (member !== 'bids' && member !== 'blind')) return false;
  const about = String(refused.facts['side'] ?? refused.facts['seat'] ?? of);
  const seats = SIDES.filter((side) => side === about).flatMap((side) => SEATS_OF[side]);
  return about === name || seats.includes(name);
}

/**
 * @param {number | null} total
 * @param {number} nils
 */
function valueText(total, nils) {
  const nil = t('games.spades.nil').toLowerCase();
  return [...(total === null ? [] : [plain(total)]), ...Array(nils).fill(nil)].join(' + ');
}

/**
 * What is rare is a chip away, where rules and standing allow it; the host is offered all of it.
 *
 * @param {HandForm} form
 * @param {string} target
 */
function chips(form, target) {
  const blind = blindSidesIn(form.entry);
  const mayBeBlind = SIDES.some((side) => !blind.includes(side) && isOffered(form, side, 'may_bid_blind'));
  const isPicking = form.aim.target === BLIND;
  return html`<div class="chips">
    ${bidsBy(form) === 'seat' ? nilChips(form, target) : nothing}
    ${SIDES.filter((side) => blind.includes(side)).map((side) => blindChip(form, side))}
    ${
      mayBeBlind
        ? html`<button
            class="chip"
            aria-pressed=${isPicking}
            @click=${() => form.aimAt({ target: isPicking ? null : BLIND })}
          >
            ${t('games.spades.team_blind_ask')}
          </button>`
        : nothing
    }
  </div>`;
}

/**
 * @param {HandForm} form
 * @param {string} seat
 */
function nilChips(form, seat) {
  const { settings } = form.view.rules;
  const bid = bidsIn(form.entry)[seat];
  const nil = settings['nil'] !== null;
  const blind = (nil || settings['blind_nil'] !== null) && isOffered(form, sideOf(seat), 'blind_gap_ok');
  const chip = (/** @type {string} */ kind) =>
    html`<button
      class="chip"
      aria-pressed=${bid === kind}
      @click=${() => setBid(form, seat, bid === kind ? null : kind)}
    >
      ${t(`games.spades.${kind}`)}
    </button>`;
  return html`${nil || bid === 'nil' ? chip('nil') : nothing}${blind || bid === 'blind_nil' ? chip('blind_nil') : nothing}`;
}

/**
 * @param {HandForm} form
 * @param {Side} side
 */
function blindChip(form, side) {
  const without = blindSidesIn(form.entry).filter((each) => each !== side);
  return html`<button class="chip" aria-pressed="true" @click=${() => form.lay({ blind: without })}>
    ${t('games.spades.team_blind', { side })}
  </button>`;
}

/** @param {HandForm} form */
function blindPicker(form) {
  const blind = blindSidesIn(form.entry);
  return html`<div class="stack">
    <p class="strong">${t('games.spades.who_blind')}</p>
    <div class="targets">
      ${SIDES.filter((side) => !blind.includes(side) && isOffered(form, side, 'may_bid_blind')).map(
        (side) =>
          html`<button @click=${() => form.lay({ blind: [...blind, side] }, { target: null })}>
            <span class="name" translate="no">${sideName(form.view, side)}</span>
          </button>`,
      )}
    </div>
    <button @click=${() => form.aimAt({ target: null })}>${t('games.spades.no_blind')}</button>
  </div>`;
}

/**
 * @param {HandForm} form
 * @param {Side} side
 * @param {'may_bid_blind' | 'blind_gap_ok'} fact
 */
function isOffered(form, side, fact) {
  return form.isCorrection || form.isHost || form.view.game.standing[side]?.[fact] === true;
}

/** @param {HandForm} form */
function override(form) {
  const code = form.refused?.code ?? '';
  const canBe = ['bid_below_minimum', 'blind_not_allowed', 'too_many_blinds'].includes(code);
  if (!form.isHost || !canBe) return nothing;
  return html`<div class="stack">
    ${textField({
      label: t('games.spades.why_let_it_stand'),
      value: form.reason,
      set: form.setReason,
      longest: LONGEST_NAME,
    })}
    <button @click=${() => form.lay({ allowed: [...allowedIn(form.entry), code] })}>
      ${t('games.spades.let_it_stand')}
    </button>
  </div>`;
}

/** @param {HandForm} form */
function waySwitch(form) {
  const way = bidsBy(form);
  const choose = (/** @type {'seat' | 'side'} */ by) => {
    keep('bids_by', by);
    form.aimAt({ target: null, step: form.aim.step });
  };
  const button = (/** @type {'seat' | 'side'} */ by) =>
    html`<button aria-pressed=${way === by} @click=${() => choose(by)}>${t(`games.spades.by_${by}`)}</button>`;
  return html`<div class="spread">
    <span class="quiet small">${t('games.spades.bids_by')}</span>
    <span class="segments">${button('seat')}${button('side')}</span>
  </div>`;
}
