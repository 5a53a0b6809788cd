import assert from 'node:assert/strict';
import { test } from 'node:test';

import { gameInFile, recordAddress, recordName } from '../../web/js/core/records.js';

test('a game is asked for by table, number and form', () => {
  assert.equal(recordAddress({ code: 'K7F4MPQ', game: 2 }), '/api/tables/K7F4MPQ/record?game=2');
  assert.equal(
    recordAddress({ code: 'K7F4MPQ', game: 2, format: 'csv' }),
    '/api/tables/K7F4MPQ/record?game=2&format=csv',
  );
  assert.equal(recordName({ code: 'K7F4MPQ', game: 2, format: 'csv' }), 'K7F4MPQ-2.csv');
});

test('a file that is JSON is a record, any other may be a sheet', () => {
  assert.deepEqual(gameInFile(' {"game": "spades"}'), { record: { game: 'spades' } });
  assert.deepEqual(gameInFile('game,spades\r\n'), { sheet: 'game,spades\r\n' });
});

test('broken JSON is neither', () => {
  assert.equal(gameInFile('{"game": '), null);
});
