import assert from 'node:assert/strict';
import { test } from 'node:test';

import { characters, cut } from '../../web/js/core/characters.js';
import { brief } from '../../web/js/core/names.js';

const FAMILY = '👨🏻\u200d👩🏻\u200d👧🏻';
const ENGLAND = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

test('a family, a flag and a letter with its mark are one character each', () => {
  assert.deepEqual(characters(`A${FAMILY}${ENGLAND}e\u0301`), ['A', FAMILY, ENGLAND, 'e\u0301']);
});

test('a text is cut between characters, at as many as there may be', () => {
  assert.equal(cut('x'.repeat(50), 40), 'x'.repeat(40));
  assert.equal(cut(`${'x'.repeat(39)}${FAMILY}y`, 40), `${'x'.repeat(39)}${FAMILY}`);
  assert.equal(cut(`${'A😀'.repeat(30)}`, 40), 'A😀'.repeat(20));
  assert.equal(cut('short', 40), 'short');
});

test('marks heaped on letters do not make a name longer than the server takes', () => {
  assert.ok([...cut(FAMILY.repeat(40), 40)].length <= 80);
});

test('a long name is shortened between characters', () => {
  assert.equal(brief(FAMILY.repeat(19)), `${FAMILY.repeat(16)}…`);
  assert.equal(brief(FAMILY.repeat(18)), FAMILY.repeat(18));
});
