import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fileName } from '../../web/js/core/files.js';
import { asFile, fromFile, withoutRules, withRules } from '../../web/js/core/saved-rules.js';
import {
  completeSettings,
  differences,
  oddSettings,
  readNumber,
  valueLabel,
  whatDiffers,
} from '../../web/js/core/settings.js';

const setting = (key, usual, more = {}) => ({ key, label: key, default: usual, choices: [], hidden_when: [], ...more });
const game = {
  key: 'spades',
  settings: [
    setting('score_limit', 300, { unit: 'points' }),
    setting('nil', 50, { choices: [{ value: null, label: 'Off' }] }),
    setting('nil_books', true, { hidden_when: [{ nil: null }] }),
  ],
};
const night = { name: 'League night', key: 'spades', settings: { score_limit: 500 } };

test('only what is not as usual is written down, and the rest comes back', () => {
  assert.deepEqual(whatDiffers(game, { score_limit: 500, nil: 50 }), { score_limit: 500 });
  assert.deepEqual(completeSettings(game, night.settings), { score_limit: 500, nil: 50, nil_books: true });
});

test('two sets of rules differ where their settings do, however much of them is written down', () => {
  assert.deepEqual(differences(game, {}, completeSettings(game, {})), []);
  const found = differences(game, night.settings, { nil: null });
  assert.deepEqual(
    found.map(({ setting: { key }, here, there }) => [key, here, there]),
    [
      ['score_limit', 500, 300],
      ['nil', 50, null],
    ],
  );
});

test('a setting that changes nothing in either is no difference', () => {
  assert.deepEqual(differences(game, { nil: null, nil_books: false }, { nil: null }), []);
});

test('a value is told as the form tells it, with its unit', () => {
  const [limit, nil] = game.settings;
  assert.equal(valueLabel(limit, 500), '500 points');
  assert.equal(valueLabel(nil, null), 'Off');
});

test('rules of the same game and name are replaced, others stay', () => {
  const longer = { ...night, settings: { score_limit: 700 } };
  const other = { ...night, key: 'tournament_spades' };
  assert.deepEqual(withRules([night, other], longer), [longer, other]);
  assert.deepEqual(withoutRules([night, other], night), [other]);
});

test('rules go into a file and come out of it', () => {
  assert.deepEqual(fromFile(asFile(night)), night);
});

test('a game record has its rules in the same place', () => {
  const record = JSON.stringify({ format: 1, game: 'spades', settings: { nil: null }, hands: [] });
  assert.deepEqual(fromFile(record), { name: '', key: 'spades', settings: { nil: null } });
});

test('a file that holds no rules is none', () => {
  for (const text of ['', 'no', '[]', '7', 'null', '{"game": 7}', '{"game": "spades", "settings": []}']) {
    assert.equal(fromFile(text), null, text);
  }
});

test('a file is named in letters that every system takes', () => {
  assert.equal(fileName('To 500, penalty at 10 bags', 'json'), 'to-500-penalty-at-10-bags.json');
  assert.equal(fileName('Jürgens Regeln!', 'json'), 'jürgens-regeln.json');
  assert.equal(fileName('…', 'csv'), 'bookboard.csv');
});

test('a number is taken as people type it, if it is in range', () => {
  const limit = setting('score_limit', 300, { low: 100, high: 5000 });
  assert.deepEqual(
    ['350', ' 1,500 ', '50', '5001', 'many', '3.5', '', '-300'].map((text) => readNumber(limit, text)),
    [350, 1500, null, null, null, null, null, null],
  );
});

test('where every number is below zero, its sign need not be typed', () => {
  const lowest = setting('lowest_allowed_score', null, { low: -2000, high: -50 });
  assert.deepEqual(
    ['200', '-200', '\u2212200', '20'].map((text) => readNumber(lowest, text)),
    [-200, -200, -200, null],
  );
});

test('what stands in a field and will not do is odd, unless the field is hidden', () => {
  const books = setting('nil_books', 4, { low: 1, high: 9, hidden_when: [{ nil: null }] });
  const typed = { nil_books: { text: '10', isTold: true }, nil: { text: '', isTold: true } };
  const withBooks = { ...game, settings: [...game.settings.slice(0, 2), books] };
  assert.deepEqual(oddSettings(withBooks, {}, typed), [books]);
  assert.deepEqual(oddSettings(withBooks, { nil: null }, typed), []);
});
