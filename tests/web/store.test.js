import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Store } from '../../web/js/core/store.js';

globalThis.requestAnimationFrame ??= () => 0;

const SNAPSHOT = {
  type: 'snapshot',
  epoch: 1,
  version: 7,
  last: 'seven',
  state: { in_play: { hand: 2 } },
  outlook: {},
};
const EVENT = { type: 'event', epoch: 1, version: 8, id: 'eight', prev: 'seven', kind: 'table_named', hand: null };
const OUTLOOK = { north_south: [{ what: 'win', low: 6, high: 13 }] };

/** @param {object[]} messages */
function after(...messages) {
  const store = new Store();
  for (const message of messages) store.receive(message);
  return store.state;
}

test('what the hand in play holds comes after it, for its version only', () => {
  const told = { type: 'outlook', epoch: 1, version: 7, outlook: OUTLOOK };
  assert.deepEqual(after(SNAPSHOT, told).outlook, OUTLOOK);
  assert.deepEqual(after(SNAPSHOT, { ...told, version: 6 }).outlook, {});
  assert.deepEqual(after(SNAPSHOT, { ...told, epoch: 2 }).outlook, {});
  assert.deepEqual(after({ ...SNAPSHOT, outlook: OUTLOOK }).outlook, OUTLOOK);
});

test('it holds until the hand in play changes', () => {
  const known = { ...SNAPSHOT, outlook: OUTLOOK };
  assert.deepEqual(after(known, { ...EVENT, changes: { table: { name: 'Table 9' } } }).outlook, OUTLOOK);
  assert.deepEqual(after(known, { ...EVENT, changes: { in_play: { hand: 3 } } }).outlook, {});
});
