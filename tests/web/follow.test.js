import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applyChanges, verdict } from '../../web/js/core/follow.js';

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
