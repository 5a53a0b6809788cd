import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { setNames, setWords } from '../../web/js/core/words.js';
import { outlookText } from '../../web/js/games/spades-outlook.js';

setWords(JSON.parse(await readFile(new URL('../../web/i18n/en.json', import.meta.url), 'utf8')));
setNames((value) => ({ ns: 'We', ew: 'They', north: 'Nora' })[String(value)] ?? String(value));
const view = /** @type {any} */ ({ game: { sides: ['ns', 'ew'] } });

/**
 * @param {number} low
 * @param {number} high
 * @param {string[]} [nils]
 */
const said = (low, high, nils = []) => outlookText(view, { ns: [{ what: 'win', low, high, nils }] });

test('the books that win are told within their bounds', () => {
  assert.equal(said(5, 9), 'We win with 5 to 9 books.');
  assert.equal(said(1, 13), 'We win with 1 book or more.');
  assert.equal(said(13, 13), 'We win with 13 books.');
  assert.equal(said(0, 0), 'We win with no books.');
  assert.equal(said(0, 1), 'We win with 1 book or fewer.');
  assert.equal(said(1, 1), 'We win with 1 book.');
});

test('a win that needs a nil says whose', () => {
  assert.equal(said(5, 9, ['north']), "We win with 5 to 9 books if Nora's nil holds.");
  assert.equal(said(5, 9, ['north', 'east']), 'We win with 5 to 9 books if all nils hold.');
});
