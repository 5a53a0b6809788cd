import assert from 'node:assert/strict';
import { test } from 'node:test';

import { textOf } from '../../web/js/core/files.js';
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

test('a sheet that a spreadsheet saved in UTF-16 is text', () => {
  const text = 'game,spades\r\nname,west,Zoë 😀\r\n';
  const bytes = (/** @type {BufferEncoding} */ encoding) => new Uint8Array(Buffer.from(text, encoding));
  const turned = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  for (const given of [bytes('utf8'), bytes('utf16le'), turned]) assert.equal(textOf(given), text);
  assert.equal(textOf(new Uint8Array([0xff, 0xfe, ...bytes('utf16le')])), text);
  assert.equal(textOf(new Uint8Array([0xfe, 0xff, ...turned])), text);
  assert.equal(textOf(new Uint8Array()), '');
});
