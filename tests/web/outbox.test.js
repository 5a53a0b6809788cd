import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Outbox } from '../../web/js/core/outbox.js';

const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
  removeItem: (key) => kept.delete(key),
};

let sent = [];
let isUp = true;
let landed = [];
let refusals = [];

function openOutbox() {
  const outbox = new Outbox('TABLE', {
    changed: () => {},
    done: (parcel, done) => landed.push([parcel.command.type, done.repeated]),
    refused: (parcel, answer) => refusals.push(answer.code),
  });
  outbox.sendWith((message) => isUp && sent.push(message) > 0);
  return outbox;
}

const welcome = { type: 'welcome', epoch: 1, status: { store: 'ok' } };
const note = (west) => ({ type: 'note_hand', game: 1, hand: 2, revision: 5, part: { bids: { west } } });
const done = (cmd, version) => ({ type: 'done', cmd, version, repeated: false });

beforeEach(() => {
  kept.clear();
  [sent, landed, refusals, isUp] = [[], [], [], true];
});

test('commands go out one after another', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.submit(note(5));
  assert.equal(sent.length, 1);
  outbox.receive(done(sent[0].cmd, 6));
  assert.equal(sent.length, 2);
  assert.deepEqual(landed, [['note_hand', false]]);
});

test('what this phone did itself does not overtake what it does next', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.submit(note(5));
  outbox.receive(done(sent[0].cmd, 6));
  assert.equal(sent[1].command.revision, 6);
});

test('without a line a command waits, also through a reload, and goes out with the same id', () => {
  isUp = false;
  const before = openOutbox();
  before.submit(note(4));
  const [parcel] = before.parcels;
  assert.equal(parcel.state, 'waiting');
  const after = openOutbox();
  isUp = true;
  after.receive(welcome);
  assert.equal(sent[0].cmd, parcel.cmd);
});

test('a command whose answer got lost is sent again, unchanged', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.lineLost();
  outbox.receive(welcome);
  assert.deepEqual(sent[1], sent[0]);
});

test('unavailable keeps it waiting, and it goes out when hands can be saved again', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.receive({ type: 'refused', cmd: sent[0].cmd, code: 'unavailable', facts: {}, retry: true });
  assert.equal(outbox.parcels[0].state, 'waiting');
  outbox.receive({ type: 'status', store: 'ok', since: 0 });
  assert.deepEqual(sent[1], sent[0]);
});

test('a conflict stays to be looked at and does not hold up the others', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.submit(note(5));
  outbox.receive({ type: 'refused', cmd: sent[0].cmd, code: 'conflict', facts: {}, retry: false });
  assert.equal(outbox.parcels[0].state, 'overtaken');
  assert.equal(sent.length, 2);
  outbox.dismiss(outbox.parcels[0]);
  assert.equal(outbox.parcels.length, 1);
});

test('another refusal is told and gone', () => {
  const outbox = openOutbox();
  outbox.submit(note(2));
  outbox.receive({ type: 'refused', cmd: sent[0].cmd, code: 'bid_below_minimum', facts: {}, retry: false });
  assert.deepEqual(refusals, ['bid_below_minimum']);
  assert.equal(outbox.parcels.length, 0);
});

test('only what never left the phone can be withdrawn', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.submit(note(5));
  outbox.withdraw(({ type }) => type === 'note_hand');
  assert.equal(outbox.parcels.length, 1);
  assert.equal(outbox.parcels[0].wasSent, true);
});
