/**
 * The face of Bid Whist: one side bids, only its score moves.
 *
 * @import {Entry} from '../core/types.js'
 * @import {View} from '../protocol.js'
 * @import {Face, Form, HandForm} from './index.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { brief, sideName } from '../core/names.js';
import { plain as number, signed, t } from '../core/words.js';
import { lineText } from '../parts/lines.js';
import { numberPad } from '../parts/pad.js';
import { refusalBeside } from '../parts/refusal.js';

const TRUMPS = ['uptown', 'downtown', 'no_trump'];
const [LEAST, MOST] = [3, 7];
const BOOKS = 13;

/** @param {Entry} entry */
function hasBid({ team, level, trump }) {
  return [team, level, trump].every((part) => part !== undefined && part !== null);
}

/**
 * `4 no trump`; nothing for the side that did not bid.
 *
 * @param {Entry} entry
 * @param {string} side
 */
function bidText({ team, level, trump }, side) {
  if (team !== side) return '';
  return [level, trump ? t(`games.bid_whist.${trump}`).toLowerCase() : ''].filter(Boolean).join(' ');
}

/** @param {HandForm} form */
function bidStep(form) {
  const { view, entry } = form;
  const { team, level, trump } = entry;
  return html`
    <p class="under-title">${t('games.bid_whist.who_bid')}</p>
    <div class="targets">
      ${view.game.sides.map(
        (side, index) =>
          html`<button
            class="target side-${index + 1}"
            aria-pressed=${team === side}
            @click=${() => form.lay({ team: side })}
          >
            <span class="name" translate="no">${sideName(view, side)}</span>
            <span translate="no" class="value is-word">${bidText(entry, side) || '–'}</span>
          </button>`,
      )}
    </div>
    ${refusalBeside(form, ['team', 'level', 'trump'])}
    <div class="pad">
      ${Array.from({ length: MOST - LEAST + 1 }, (_, place) => LEAST + place).map(
        (bid) =>
          html`<button aria-pressed=${level === bid} @click=${() => form.lay({ level: bid })}>${number(bid)}</button>`,
      )}
    </div>
    <div class="thirds">
      ${TRUMPS.map(
        (each) =>
          html`<button aria-pressed=${trump === each} @click=${() => form.lay({ trump: each })}>
            ${t(`games.bid_whist.${each}`)}
          </button>`,
      )}
    </div>
  `;
}

/** @param {HandForm} form */
function booksStep(form) {
  const { view, entry } = form;
  const side = String(entry['team']);
  const books = entry['books'];
  const told = `${brief(sideName(view, side))} ${bidText(entry, side)}`;
  return html`
    <p class="under-title name">
      ${t('games.spades.bids_are', { bids: told })}
      <button class="plain" @click=${() => form.aimAt({ step: 'bids' })}>${t('ui.play.change')}</button>
    </p>
    <p class="strong">${t('games.bid_whist.books_of', { side })}</p>
    ${refusalBeside(form, ['books'])}
    ${numberPad({
      label: t('games.bid_whist.books_of', { side }),
      from: 1,
      upTo: BOOKS,
      value: typeof books === 'number' ? books : null,
      set: (value) => form.lay({ books: value }),
    })}
  `;
}

/** @param {HandForm} form */
function isBidding(form) {
  return form.aim.step === 'bids' || !hasBid(form.entry) || /^(team|level|trump)/.test(form.refused?.field ?? '');
}

/** @type {Form} */
const form = {
  title: (hand) => t(isBidding(hand) ? 'games.bid_whist.bid_title' : 'games.spades.books_title', { hand: hand.hand }),
  body: (hand) => (isBidding(hand) ? bidStep(hand) : booksStep(hand)),
  isReady: ({ entry }) => hasBid(entry) && typeof entry['books'] === 'number',
  isShowingResult: (hand) => !isBidding(hand),
  next(hand) {
    if (!isBidding(hand)) return { text: t('games.bid_whist.books_next') };
    if (hasBid(hand.entry)) return { text: t('games.spades.on_to_books'), aim: { step: null } };
    return { text: t('games.bid_whist.bid_next') };
  },
  isNotedAtOnce: (part) => !('books' in part),
};

/** @type {Face} */
export const bidWhist = {
  headline: ({ rules }) => t('games.spades.headline', { title: rules.title, limit: rules.settings['target'] }),
  whenLevel: () => '',
  standing: (view, side) => t('games.bid_whist.standing', view.game.standing[side] ?? {}),

  rows(view, side) {
    const last = view.hands.at(-1);
    const isNew = view.in_play.entry['team'] !== undefined;
    const entry = isNew || !last ? view.in_play.entry : last.entry;
    const level = Number(entry['team'] === side ? (entry['level'] ?? 0) : 0);
    const trump = entry['team'] === side && entry['trump'] ? t(`games.bid_whist.${entry['trump']}`) : '';
    const above = isNew ? 0 : Number(last?.sides[side]?.lines[0]?.facts['above'] ?? 0);
    const label = t('games.spades.row_bid', { bid: level || '–' });
    const [filled, over] = [Math.min(level, above), Math.max(0, above - level)];
    return [{ kind: 'cards', label, of: level, filled, over, note: trump }];
  },

  columns: [
    {
      label: 'bid',
      cell: (hand, side) => ({ text: bidText(hand.entry, side) }),
      inPlay: (view, side) => bidText(view.in_play.entry, side),
    },
    { label: 'books', cell: ({ entry }, side) => ({ text: entry['team'] === side ? String(entry['books']) : '' }) },
    {
      label: 'points',
      cell(hand, side) {
        const points = hand.sides[side]?.points ?? 0;
        return points < 0 ? { text: signed(points), tone: 'hurts' } : { text: points ? signed(points) : '' };
      },
    },
    { label: 'score', cell: (hand, side) => ({ text: number(hand.sides[side]?.score ?? 0) }) },
  ],

  summary: (hand, side) => (hand.sides[side]?.lines ?? []).map(lineText).join(', ') || t('games.bid_whist.no_bid'),
  now: (view) => nowText(view),
  told: (entry) =>
    t('games.bid_whist.told', { side: entry['team'], bid: bidText(entry, String(entry['team'])), ...entry }),
  form,
};

/** @param {View} view */
function nowText({ in_play: { entry, dealer, hand } }) {
  if (!hasBid(entry)) return t('games.bid_whist.bidding', { dealer, hand });
  return t('games.bid_whist.playing', { side: entry['team'], bid: bidText(entry, String(entry['team'])) });
}
