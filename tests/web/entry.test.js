import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as lay from '../../web/js/core/merge-entry.js';
import { allBid, bidOf, bidPart, booksPart, hasBid } from '../../web/js/games/spades-entry.js';

/** What a function gives, as objects that compare with those written here. */
const plainly =
  (make) =>
  (...parts) =>
    structuredClone(make(...parts));
const [layOver, joinParts, notYetIn] = [lay.layOver, lay.joinParts, lay.notYetIn].map(plainly);

test('mappings merge, null removes, anything else replaces', () => {
  const entry = { bids: { west: 4, east: 3 }, reneges: ['east'] };
  assert.deepEqual(layOver(entry, { bids: { west: null, north: 5 }, reneges: [] }), {
    bids: { east: 3, north: 5 },
    reneges: [],
  });
  assert.deepEqual(layOver(entry, { bids: { west: null, east: null } }), { reneges: ['east'] });
});

test('parts laid over each other still say what they remove', () => {
  const joined = joinParts({ bids: { north: 4 } }, { bids: { north: null, north_south: 5 } });
  assert.deepEqual(joined, { bids: { north: null, north_south: 5 } });
  assert.deepEqual(layOver({ bids: { north: 3, south: 'nil' } }, joined), { bids: { south: 'nil', north_south: 5 } });
});

test('what is recorded already drops out of what was typed', () => {
  const recorded = { bids: { west: 4 }, reneges: [] };
  assert.deepEqual(notYetIn({ bids: { west: 4, east: 3 } }, recorded), { bids: { east: 3 } });
  assert.deepEqual(notYetIn({ bids: { west: 4, north: null }, reneges: [] }, recorded), {});
  assert.deepEqual(notYetIn({ bids: { west: 5 } }, recorded), { bids: { west: 5 } });
});

test("a side's bid takes its seats' bids away, and the other way round", () => {
  const bySeat = { bids: { north: 3, south: 'nil' }, nil_books: { south: 1 } };
  assert.deepEqual(layOver(bySeat, bidPart(bySeat, 'north_south', 6)), { bids: { north_south: 6 } });
  const bySide = { bids: { north_south: 6 } };
  assert.deepEqual(layOver(bySide, bidPart(bySide, 'north', 4)), { bids: { north: 4 } });
});

test('a nil taken back takes its books with it', () => {
  const entry = { bids: { south: 'nil' }, nil_books: { south: 2 } };
  assert.deepEqual(layOver(entry, bidPart(entry, 'south', 4)), { bids: { south: 4 } });
  assert.deepEqual(layOver(entry, bidPart(entry, 'south', 'blind_nil')).nil_books, { south: 2 });
});

test('a bid is known by the side or by both its seats', () => {
  assert.equal(hasBid({ bids: { east_west: 5 } }, 'east_west'), true);
  assert.equal(hasBid({ bids: { east: 5 } }, 'east_west'), false);
  assert.equal(allBid({ bids: { east: 5, west: 'nil', north_south: 4 } }), true);
  const bid = bidOf({ bids: { east: 5, west: 'nil' }, blind: ['east_west'] }, 'east_west');
  assert.deepEqual(bid, { total: 5, nils: [{ seat: 'west', isBlind: false }], isBlind: true });
});

test("one side's books fill the other's", () => {
  assert.deepEqual(booksPart('east_west', 5), { books: { east_west: 5, north_south: 8 } });
});

test('players may be called what JavaScript objects know', () => {
  const cards = JSON.parse('{"cards": {"constructor": 5, "__proto__": 7, "valueOf": 2}}');
  const laid = lay.layOver({}, cards);
  assert.deepEqual(Object.entries(laid.cards), Object.entries(cards.cards));
  assert.equal(lay.layOver(laid, { cards: { ['__proto__']: null } }).cards['__proto__'], undefined);
  assert.deepEqual(Object.keys(lay.notYetIn(cards, laid)), []);
  assert.equal(lay.layOver({}, { cards: { nora: 1 } }).cards.constructor, undefined);
});
