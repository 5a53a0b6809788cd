import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applyChanges, goneIn, verdict } from '../../web/js/core/follow.js';

const mine = { epoch: 2, version: 7, last: 'seven' };

test('an event that is not newer is dropped', () => {
  assert.equal(verdict(mine, { epoch: 2, version: 7, prev: 'six' }), 'drop');
  assert.equal(verdict(mine, { epoch: 2, version: 3, prev: 'two' }), 'drop');
});

test('the next event after my last is applied', () => {
  assert.equal(verdict(mine, { epoch: 2, version: 8, prev: 'seven' }), 'apply');
});

test('a gap, a fork, another epoch and a board not yet there ask for a snapshot', () => {
  assert.equal(verdict(mine, { epoch: 2, version: 9, prev: 'eight' }), 'sync');
  assert.equal(verdict(mine, { epoch: 2, version: 8, prev: 'another seven' }), 'sync');
  assert.equal(verdict(mine, { epoch: 3, version: 8, prev: 'seven' }), 'sync');
  assert.equal(verdict(null, { epoch: 2, version: 8, prev: 'seven' }), 'sync');
});

test('sections that changed replace theirs, the others stay', () => {
  const view = { table: { name: 'old' }, clock: { left: 5 }, hands: [] };
  const after = applyChanges(view, { table: { name: 'new' } });
  assert.deepEqual(after, { table: { name: 'new' }, clock: { left: 5 }, hands: [] });
});

test('of the hands the first ones are kept and the rest put after them', () => {
  const view = { hands: ['one', 'two', 'three'] };
  assert.deepEqual(applyChanges(view, { hands: { keep: 1, hands: ['two again'] } }).hands, ['one', 'two again']);
  assert.deepEqual(applyChanges(view, { hands: { keep: 2, hands: [] } }).hands, ['one', 'two']);
});

test('hands whose totals shift keep what was entered, and stand by their numbers', () => {
  const hand = (id, number, score, bags) => ({
    id,
    number,
    dealer: 'south',
    entry: { of: id },
    sides: {
      we: { points: 5, score, lines: [id], figures: { bags, set: false } },
      they: { points: 0, score: 0, lines: [], figures: {} },
    },
  });
  const view = { hands: [hand(1, 1, 5, 0), hand(2, 2, 10, 1), hand(3, 3, 15, 1), hand(4, 4, 20, 2)] };
  const shifted = { ids: [2, 4], number: [1, 3], score: { we: [6, 16] }, figures: { we: { bags: [null, 0] } } };
  const change = { keep: 0, hands: [hand(3, 2, 11, 0)], shifted };
  const after = applyChanges(view, { hands: change }).hands;
  assert.deepEqual(after, [hand(2, 1, 6, null), hand(3, 2, 11, 0), hand(4, 3, 16, 0)]);
  const turned = applyChanges(view, { hands: { keep: 3, hands: [], shifted: { ids: [4], dealer: ['west'] } } }).hands;
  assert.deepEqual(turned, [...view.hands.slice(0, 3), { ...hand(4, 4, 20, 2), dealer: 'west' }]);
});

const board = (game, hands) => ({ game: { number: game }, hands: hands.map((number) => ({ number })) });
const shown = { position: mine, view: board(1, [1, 2, 3]), rewound: null };

test('hands that a newer epoch lacks are gone, whether the server says so or not', () => {
  assert.deepEqual(goneIn(shown, { epoch: 3, state: board(1, [1]) }), { game: 1, hands: [2, 3] });
  const told = { ...shown, rewound: { game: 1, hands: [3, 4] } };
  assert.deepEqual(goneIn(told, { epoch: 3, state: board(1, [1, 2]) }), { game: 1, hands: [3, 4] });
});

test('a snapshot of the same epoch, and a first one, takes nothing away', () => {
  assert.equal(goneIn(shown, { epoch: 2, state: board(1, [1]) }), null);
  assert.equal(goneIn({ ...shown, position: null, view: null }, { epoch: 3, state: board(1, [1]) }), null);
});

test('a game that is over has lost no hand, one that was never begun has lost all', () => {
  assert.deepEqual(goneIn(shown, { epoch: 3, state: board(2, []) }), { game: 1, hands: [] });
  assert.deepEqual(goneIn({ ...shown, view: board(2, [1]) }, { epoch: 3, state: board(1, [1, 2]) }), {
    game: 2,
    hands: [1],
  });
});
