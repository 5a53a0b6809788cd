import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

import { countdown, fill, has, plain, setNames, setWords, signed, t } from '../../web/js/core/words.js';

const web = new URL('../../web/', import.meta.url);
const words = JSON.parse(await readFile(new URL('i18n/en.json', web), 'utf8'));
setWords(words);

test('numbers carry a true minus sign', () => {
  assert.equal(plain(-1234), '\u22121,234');
  assert.equal(signed(62), '+62');
  assert.equal(signed(-60), '\u221260');
  assert.equal(signed(0), '0');
});

test('a text takes facts, signs and a choice by number', () => {
  assert.equal(fill('{points|signed}', { points: -5 }), '\u22125');
  assert.equal(fill('{n|one bag|{n} bags}', { n: 1 }), 'one bag');
  assert.equal(fill('{n|one bag|{n} bags}', { n: 3 }), '3 bags');
  assert.equal(fill('took 4{n|| and 1 uncounted| and {n} uncounted}', {}), 'took 4');
  assert.equal(fill('took 4{n|| and 1 uncounted| and {n} uncounted}', { n: 2 }), 'took 4 and 2 uncounted');
  assert.equal(fill('{n|no bags|1 bag|{n} bags}', { n: 0 }), 'no bags');
  assert.equal(fill('{n|1 bag|{n} bags}', { n: 0 }), '0 bags');
});

test('sides and seats are told by their names', () => {
  setNames((value) => ({ west: 'West' })[String(value)] ?? String(value));
  assert.equal(t('lines.nil_made', { seat: 'west' }), fill(words.lines.nil_made, { seat: 'west' }));
  assert.match(t('lines.nil_made', { seat: 'west' }), /West/);
});

test('a text that is missing reads like words, never like a key', () => {
  assert.equal(t('lines.some_new_rule'), 'Some new rule');
});

test('a countdown ends at nothing, not below', () => {
  assert.equal(countdown(725_000), '12:05');
  assert.equal(countdown(3_725_000), '1:02:05');
  assert.equal(countdown(-1), '0:00');
});

test('every text that the pages ask for by name is there', async () => {
  const files = (await readdir(new URL('js/', web), { recursive: true })).filter((name) => name.endsWith('.js'));
  const asked = new Set();
  for (const name of files) {
    const source = await readFile(new URL(`js/${name}`, web), 'utf8');
    for (const [, path] of source.matchAll(/'((?:ui|games|refusals)\.[a-z_.0-9]+)'/g)) asked.add(path);
  }
  assert.ok(asked.size > 100);
  assert.deepEqual(
    [...asked].filter((path) => has(path) === undefined),
    [],
  );
});

test('no text says what players do not', () => {
  const texts = JSON.stringify({ ui: words.ui, refusals: words.refusals, games: words.games });
  assert.doesNotMatch(texts, /\b(error|invalid|submit|session)\b/i);
});
