import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Entered } from '../../web/js/play/entered.js';

const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
  removeItem: (key) => kept.delete(key),
};

const entryOf = (books) => ({ books: { north_south: books, east_west: 13 - books } });
const hand = (id, books, before = []) => ({
  id,
  number: id,
  entry: entryOf(books),
  corrections: before.map((each) => ({ before: entryOf(each) })),
});
const view = (hands, id) => ({ game: { number: 1, removed: [] }, hands, in_play: { id, hand: id, entry: {} } });
const snapshot = (state) => ({ type: 'snapshot', state });
const command = (id) => ({ type: 'enter_hand', game: 1, hand: id, revision: 1, part: {} });

let sent = [];

function phone() {
  return new Entered('TABLE', (message) => sent.push(message) > 0);
}

function phoneThatEntered(...books) {
  const entered = phone();
  books.forEach((each, at) => entered.landed({ cmd: `c${at + 1}`, command: command(at + 1), entry: entryOf(each) }));
  return entered;
}

beforeEach(() => {
  kept.clear();
  sent = [];
});

test('what a board still shows, corrected or not, is not asked after', () => {
  const entered = phoneThatEntered(5, 6);
  entered.receive(snapshot(view([hand(1, 5), hand(2, 9, [6])], 3)), null);
  assert.deepEqual(sent, []);
});

test('hands that are gone or were replaced by others are asked after by cmd, also after a reload', () => {
  phoneThatEntered(5, 6, 7);
  const entered = phone();
  const now = view([hand(1, 5), hand(2, 9)], 3);
  entered.receive(snapshot(now), now);
  assert.deepEqual(sent, [{ type: 'check', cmds: ['c2', 'c3'] }]);
  entered.receive({ type: 'checked', cmds: ['c2', 'c3'], missing: ['c2', 'c3'] }, now);
  assert.equal(entered.lost(now)?.cmd, 'c2');
  entered.forget(entered.hands.find(({ cmd }) => cmd === 'c2'));
  assert.equal(entered.lost(now)?.cmd, 'c3');
  assert.equal(phone().lost(now)?.cmd, 'c3');
});

test('a hand that somebody removed is in the log and is not lost', () => {
  const entered = phoneThatEntered(5, 6);
  const now = view([hand(1, 5)], 3);
  entered.receive(snapshot(now), now);
  entered.receive({ type: 'checked', cmds: ['c2'], missing: [] }, now);
  assert.equal(entered.lost(now), null);
  assert.deepEqual(
    entered.hands.map(({ cmd }) => cmd),
    ['c1'],
  );
});

test('a lost hand that is in again is not offered any more', () => {
  const entered = phoneThatEntered(5);
  entered.receive(snapshot(view([], 1)), null);
  entered.receive({ type: 'checked', cmds: ['c1'], missing: ['c1'] }, view([], 1));
  const again = view([hand(1, 5)], 2);
  entered.receive({ type: 'event' }, again);
  assert.equal(entered.lost(again), null);
});
