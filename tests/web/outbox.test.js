import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Outbox } from '../../web/js/core/outbox.js';
import { forgetTable } from '../../web/js/core/tables.js';

const kept = new Map();
globalThis.localStorage = {
  get length() {
    return kept.size;
  },
  key: (at) => [...kept.keys()][at] ?? null,
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

const hand = (north_south) => ({ type: 'enter_hand', game: 1, hand: 2, revision: 5, part: { books: { north_south } } });
const partsOf = ({ parcels }) => parcels.map(({ command }) => command.part.books.north_south);

/** Two tabs of one phone, each with a hand of its own that cannot be sent. */
function openTwoTabs() {
  isUp = false;
  const tabs = [openOutbox(), openOutbox()];
  tabs[0].submit(hand(6));
  tabs[1].submit(hand(9));
  return tabs;
}

test('a tab keeps what it could not send beside what another tab keeps', () => {
  openTwoTabs();
  assert.deepEqual(partsOf(openOutbox()).sort(), [6, 9]);
  assert.deepEqual(partsOf(openOutbox()).sort(), [6, 9]);
});

test('the second of two hands from two tabs goes out for the board its tab saw, from whichever tab, and stays', () => {
  openTwoTabs();
  const [one, other] = [openOutbox(), openOutbox()];
  isUp = true;
  one.receive(welcome);
  other.receive(welcome);
  assert.deepEqual(sent[1], sent[0]);
  one.receive(done(sent[0].cmd, 6));
  other.receive({ ...done(sent[0].cmd, 6), repeated: true });
  assert.deepEqual(sent[3], sent[2]);
  assert.equal(sent[2].command.revision, 5);
  for (const tab of [one, other]) {
    tab.receive({ type: 'refused', cmd: sent[2].cmd, code: 'conflict', facts: {}, retry: false });
    assert.equal(tab.parcels[0].state, 'overtaken');
  }
  assert.equal(openOutbox().parcels[0].state, 'overtaken');
});

test('a tab takes only what was answered off what is kept', () => {
  const [, other] = openTwoTabs();
  isUp = true;
  other.receive(welcome);
  other.receive(done(sent[0].cmd, 6));
  assert.deepEqual(partsOf(openOutbox()), [6]);
});

test('what another tab has settled is not kept again', () => {
  isUp = false;
  openOutbox().submit(note(4));
  const [one, other] = [openOutbox(), openOutbox()];
  one.dismiss(one.parcels[0]);
  other.receive({ type: 'status', store: 'ok', since: 0 });
  assert.equal(openOutbox().parcels.length, 0);
});

test('commands keep their order through a reload', () => {
  isUp = false;
  const before = openOutbox();
  for (let north_south = 0; north_south < 9; north_south++) before.submit(hand(north_south));
  const shuffled = [...kept].reverse();
  kept.clear();
  for (const [key, value] of shuffled) kept.set(key, value);
  assert.deepEqual(partsOf(openOutbox()), partsOf(before));
});

test('commands that an earlier page kept in one list go out once, in their order', () => {
  const old = [9, 8].map((books) => ({ cmd: `c${books}`, command: hand(books), state: 'waiting', wasSent: false }));
  kept.set('bookboard.pending.TABLE', JSON.stringify(old));
  const outbox = openOutbox();
  assert.deepEqual(partsOf(outbox), [9, 8]);
  assert.deepEqual(partsOf(openOutbox()), [9, 8]);
  outbox.receive(welcome);
  outbox.receive(done('c9', 6));
  assert.deepEqual(partsOf(openOutbox()), [8]);
});

test('with a table everything goes that waits for it, and nothing of another', () => {
  openTwoTabs();
  kept.set('bookboard.pending.TABLE2.c1', '{}');
  forgetTable('TABLE');
  assert.deepEqual(
    [...kept.keys()].filter((key) => key.includes('pending')),
    ['bookboard.pending.TABLE2.c1'],
  );
});

test('what others did in between is not passed over by what landed here', () => {
  const outbox = openOutbox();
  const correct = { type: 'correct_hand', game: 1, hand: 3, revision: 5, entry: {} };
  outbox.submit(note(4));
  outbox.submit(correct);
  outbox.receive(done(sent[0].cmd, 8));
  assert.equal(sent[1].command.revision, 5);
});

test('what was typed twice for one place does not overtake itself, whoever noted elsewhere meanwhile', () => {
  const outbox = openOutbox();
  outbox.submit(note(4));
  outbox.submit(note(5));
  outbox.receive(done(sent[0].cmd, 8));
  assert.equal(sent[1].command.revision, 8);
});

test('after the log went back nothing is taken for seen', () => {
  const outbox = openOutbox();
  outbox.receive(welcome);
  isUp = false;
  outbox.submit(note(4));
  isUp = true;
  outbox.receive({ ...welcome, epoch: 2 });
  assert.equal(sent[0].command.revision, 0);
});

test('what an earlier page kept for a hand by its number is not sent', () => {
  const parcel = { cmd: 'old', command: note(4), state: 'waiting', wasSent: true, at: 1, after: [] };
  kept.set('bookboard.pending.TABLE.old', JSON.stringify(parcel));
  const outbox = openOutbox();
  outbox.receive(welcome);
  assert.deepEqual([sent, outbox.parcels[0].state], [[], 'overtaken']);
});
