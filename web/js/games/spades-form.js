/**
 * Entering a hand of Spades on a phone: first the bids, then the books, a tap each.
 *
 * @import {Entry} from '../core/types.js'
 * @import {Form, HandForm} from './index.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { brief, playerAt, sideName } from '../core/names.js';
import { t } from '../core/words.js';
import { allBid, allBooks, bidsIn, renegesIn, SIDES } from './spades-entry.js';
import { bidsBy, bidsStep, nextToBid } from './spades-bids.js';
import { booksStep } from './spades-books.js';
import { bidTold } from './spades-words.js';

const NOTED_AT_ONCE = new Set(['bids', 'blind', 'reneges', 'allowed']);

/** @param {HandForm} form */
export function bidsThemselves({ view, hand, entry }) {
  const isFirst = hand === 1 && view.rules.settings['first_hand_bids_itself'] === true;
  return isFirst && Object.keys(bidsIn(entry)).length === 0;
}

/** @param {HandForm} form */
function hasAllBids(form) {
  return bidsThemselves(form) || allBid(form.entry);
}

/**
 * @param {HandForm} form
 * @returns {'bids' | 'books'}
 */
function stepOf(form) {
  if (bidsThemselves(form)) return 'books';
  if (/^(bids|blind|allowed)/.test(form.refused?.field ?? '')) return 'bids';
  if (form.aim.step === 'bids' || !hasAllBids(form)) return 'bids';
  return 'books';
}

/** @param {HandForm} form */
function isForfeit({ view, entry }) {
  return view.rules.settings['renege_penalty'] === 'automatic_loss' && renegesIn(entry).length > 0;
}

/** @param {HandForm} form */
function bidsLine(form) {
  if (bidsThemselves(form)) return html`<p class="under-title">${t('games.spades.no_bids_in_first')}</p>`;
  const told = SIDES.map((side) => `${brief(sideName(form.view, side))} ${bidTold(form.entry, side)}`).join(' · ');
  return html`<p class="under-title name">
    ${t('games.spades.bids_are', { bids: told })}
    <button class="plain" @click=${() => form.aimAt({ step: 'bids', target: null })}>${t('ui.play.change')}</button>
  </p>`;
}

/** @param {HandForm} form */
function nextStep(form) {
  if (stepOf(form) === 'books') return { text: t('games.spades.books_next') };
  const next = nextToBid(form);
  if (hasAllBids(form)) return { text: t('games.spades.on_to_books'), aim: { step: 'books', target: null } };
  if (!next) return { text: t('games.spades.bids_next') };
  const isStart = Object.keys(bidsIn(form.entry)).length === 0 && bidsBy(form) === 'side';
  if (isStart) return { text: t('games.spades.both_bids_next') };
  return { text: t('games.spades.bid_next', { who: playerAt(form.view, next) || sideName(form.view, next) }) };
}

/** @type {Form} */
export const form = {
  title: (hand) => t(stepOf(hand) === 'bids' ? 'games.spades.bids_title' : 'games.spades.books_title', hand),
  body: (hand) => (stepOf(hand) === 'bids' ? bidsStep(hand) : html`${bidsLine(hand)} ${booksStep(hand)}`),
  isReady: (hand) => hasAllBids(hand) && (allBooks(hand.entry) || isForfeit(hand)),
  isShowingResult: (hand) => stepOf(hand) === 'books',
  next: nextStep,

  /** @param {Entry} part */
  isNotedAtOnce: (part) => Object.keys(part).some((member) => NOTED_AT_ONCE.has(member)),
};
