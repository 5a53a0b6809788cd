/**
 * The face of Spades and Tournament Spades.
 *
 * @import {Entry, Standing} from '../core/types.js'
 * @import {HandView, View} from '../protocol.js'
 * @import {Cell, Face, Row} from './index.js'
 * @import {Side} from './spades-entry.js'
 */

import { plain, signed, t } from '../core/words.js';
import { lineText } from '../parts/lines.js';
import { bidOf, bidsIn, blindSidesIn, booksIn, hasBid, renegesIn } from './spades-entry.js';
import { form } from './spades-form.js';
import { outlookText } from './spades-outlook.js';
import { bidText, handTold } from './spades-words.js';

/** The rules that say what became of a bid, with points or without. */
const BID_RULES = new Set([
  'first_hand',
  'made',
  'made_blind',
  'set',
  'set_blind',
  'underbid',
  'ten_for_200',
  'double_points',
  'ten_for_200_missed',
  'ten_for_200_over',
  'renege_loss',
]);

/**
 * @param {View} view
 * @param {string} side
 */
function standing(view, side) {
  const facts = view.game.standing[side] ?? {};
  const { bag_limit, bag_penalties, sets } = facts;
  const bags = bag_limit === null ? t('games.spades.bags_total', facts) : t('games.spades.bags_of', facts);
  const penalties = bag_penalties ? [t('games.spades.penalties', { count: bag_penalties })] : [];
  const set = sets ? t('games.spades.sets', { count: sets }) : t('games.spades.never_set');
  return `${[bags, ...penalties].join(', ')} · ${set}`;
}

/**
 * Until the first bid of a new hand is in, the marks still tell the last one.
 *
 * @param {View} view
 * @param {string} side
 * @returns {Row[]}
 */
function rows(view, side) {
  const { entry } = view.in_play;
  const isNew = Object.keys(bidsIn(entry)).length > 0 || blindSidesIn(entry).length > 0;
  const last = view.hands.at(-1);
  const bags = bagsRow(view.game.standing[side] ?? {});
  if (isNew) return [bidRow(entry, /** @type {Side} */ (side)), bags];
  return last ? [playedRow(last, /** @type {Side} */ (side)), bags] : [bags];
}

/**
 * @param {Entry} entry
 * @param {Side} side
 * @returns {Row}
 */
function bidRow(entry, side) {
  const { total, nils, isBlind } = bidOf(entry, side);
  const books = Number(booksIn(entry)[side] ?? 0);
  const label = isBlind ? 'games.spades.row_blind' : 'games.spades.row_bid';
  const told = nils.map((nil) => t(`games.spades.${nil.isBlind ? 'seat_blind_nil' : 'seat_nil'}`, nil)).join(', ');
  const waiting = hasBid(entry, side) || total === null ? '' : t('games.spades.so_far');
  const bid = total ?? 0;
  const { filled, over } = fill(bid, books);
  return { kind: 'cards', label: t(label, { bid: total ?? '–' }), of: bid, filled, over, note: told || waiting };
}

/**
 * @param {HandView} hand
 * @param {Side} side
 * @returns {Row}
 */
function playedRow(hand, side) {
  const { total, isBlind } = bidOf(hand.entry, side);
  const given = booksIn(hand.entry)[side];
  const books = Number(given ?? 0);
  const isSet = Boolean(hand.sides[side]?.figures['set']);
  if (total === null) {
    const label = t('games.spades.row_books', { books });
    return {
      kind: 'cards',
      label,
      of: books,
      filled: books,
      over: 0,
      note: t('games.spades.hand_told', { number: hand.number }),
    };
  }
  const told = t(isSet ? 'games.spades.set_with' : 'games.spades.took', { books });
  const note = given === undefined ? '' : told;
  const label = t(isBlind ? 'games.spades.row_blind' : 'games.spades.row_bid', { bid: total });
  return { kind: 'cards', label, of: total, ...fill(total, books), note };
}

/**
 * @param {number} bid
 * @param {number} books
 */
function fill(bid, books) {
  return { filled: Math.min(bid, books), over: Math.max(0, books - bid) };
}

/**
 * @param {Standing} facts
 * @returns {Row}
 */
function bagsRow(facts) {
  const limit = Number(facts['bag_limit'] ?? 0);
  const shown = Number(facts['bags_shown'] ?? 0);
  const note = limit ? t('games.spades.of', { shown, limit }) : plain(shown);
  return { kind: 'pips', label: t('games.spades.bags'), of: limit, filled: shown, over: 0, note };
}

/**
 * @param {HandView} hand
 * @param {string} side
 * @returns {Cell}
 */
function booksCell(hand, side) {
  const books = booksIn(hand.entry)[side];
  const reneges = renegesIn(hand.entry).length ? '*' : '';
  if (books === undefined) return { text: '' };
  if (!hand.sides[side]?.figures['set']) return { text: `${books}${reneges}` };
  return { text: `${t('games.spades.set_cell', { books })}${reneges}`, tone: 'hurts' };
}

/**
 * @param {HandView} hand
 * @param {string} side
 * @returns {Cell}
 */
function pointsCell(hand, side) {
  const points = hand.sides[side]?.points ?? 0;
  return points < 0 ? { text: signed(points), tone: 'hurts' } : { text: signed(points) };
}

/** @type {Face} */
export const spades = {
  headline: ({ rules }) => t('games.spades.headline', { title: rules.title, limit: rules.settings['score_limit'] }),

  whenLevel({ rules, clock }) {
    if (rules.settings['tie_breaker'] !== 'highest_score_then_fewer_bags') return t('games.spades.level_another');
    return t(clock.extra ? 'games.spades.level_bags_now' : 'games.spades.level_extra_then_bags');
  },

  standing,
  rows,

  columns: [
    {
      label: 'bid',
      cell: (hand, side) => ({ text: bidText(hand.entry, /** @type {Side} */ (side)) || '–' }),
      inPlay: (view, side) => bidText(view.in_play.entry, /** @type {Side} */ (side)),
    },
    { label: 'books', cell: booksCell },
    { label: 'points', cell: pointsCell },
    { label: 'score', cell: (hand, side) => ({ text: plain(hand.sides[side]?.score ?? 0) }) },
    { label: 'bags', cell: (hand, side) => ({ text: plain(Number(hand.sides[side]?.figures['bags_total'] ?? 0)) }) },
  ],

  summary(hand, side) {
    const lines = hand.sides[side]?.lines ?? [];
    return lines
      .filter((line) => BID_RULES.has(line.rule) || (line.points !== 0 && line.rule !== 'bags'))
      .map(lineText)
      .join(', ');
  },

  now(view, outlook) {
    const { hand, wants, entry, order } = view.in_play;
    const bids = Object.keys(bidsIn(entry)).length;
    if (!wants.includes('bids')) {
      const forecast = outlookText(view, outlook);
      if (forecast) return forecast;
      return t(bids ? 'games.spades.being_played' : 'games.spades.bids_itself', { hand });
    }
    return bids ? t('games.spades.bids_open', { hand }) : t('games.spades.bids_first', { seat: order[0], hand });
  },

  sheetNote: ({ hands }) => (hands.some(({ entry }) => renegesIn(entry).length) ? t('games.spades.starred') : ''),
  told: handTold,
  form,
};
