import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Question } from '../../web/js/core/question.js';

const UNDO = { type: 'take_back_hand', game: 1, hand: 3, revision: 7 };

function asking(isLive = true) {
  const sent = [];
  let drawn = 0;
  const question = new Question(
    (message) => isLive && sent.push(message) > 0,
    () => drawn++,
  );
  const answer = (more) => question.receive({ type: 'preview', id: sent.at(-1).id, ...more });
  const refuse = (more) => question.receive({ type: 'refused', cmd: sent.at(-1).id, facts: {}, retry: false, ...more });
  return { question, sent, answer, refuse, drawn: () => drawn };
}

test('the same state of things is asked about once', () => {
  const { question, sent, answer, drawn } = asking();
  question.ask('a', UNDO);
  question.ask('a', UNDO);
  answer({ scores: { north_south: 80 } });
  question.ask('a', UNDO);
  assert.equal(sent.length, 1);
  assert.deepEqual(question.result.scores, { north_south: 80 });
  assert.equal(drawn(), 1);
});

test('the last answer stays until the next one is here, and an old one that comes late is dropped', () => {
  const { question, sent, answer } = asking();
  question.ask('a', UNDO);
  answer({ scores: 1 });
  question.ask('b', UNDO);
  assert.equal(question.result.scores, 1);
  question.receive({ type: 'preview', id: sent[0].id, scores: 9 });
  assert.equal(question.result.scores, 1);
  answer({ scores: 2 });
  assert.equal(question.result.scores, 2);
});

test('a refusal is kept, but not one that may turn out otherwise later', () => {
  const { question, refuse } = asking();
  question.ask('a', UNDO);
  refuse({ code: 'unavailable', retry: true });
  assert.equal(question.refused, null);
  refuse({ code: 'conflict' });
  assert.equal(question.refused, null);
  refuse({ code: 'game_would_end_earlier' });
  assert.equal(question.refused.code, 'game_would_end_earlier');
  question.ask('b', UNDO);
  assert.equal(question.refused, null);
});

test('what could not be sent, or was asked on another line, is asked again', () => {
  const away = asking(false);
  away.question.ask('a', UNDO);
  assert.equal(away.question.result, null);
  const { question, sent } = asking();
  question.ask('a', UNDO);
  question.receive({ type: 'welcome' });
  question.ask('a', UNDO);
  assert.equal(sent.length, 2);
});
