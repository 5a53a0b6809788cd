import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const css = await readFile(new URL('../../web/css/tokens.css', import.meta.url), 'utf8');
const TEXT = ['ink', 'quiet', 'hurts', 'helps', ...Array.from({ length: 8 }, (_, index) => `side-${index + 1}`)];

/** The colours set by the first rule whose selector is exactly this. */
function colours(selector) {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

for (const [theme, selector] of [
  ['light', ':root'],
  ['dark', ":root[data-theme='dark']"],
]) {
  test(`every colour of a text has AA contrast in the ${theme} theme`, () => {
    const tokens = colours(selector);
    for (const name of TEXT) {
      for (const ground of ['ground', 'panel']) {
        const ratio = contrast(tokens[name], tokens[ground]);
        assert.ok(ratio >= 4.5, `${name} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
    assert.ok(contrast(tokens['on-action'], tokens.action) >= 4.5);
    assert.ok(contrast(tokens['on-banner'], tokens.banner) >= 4.5);
    assert.ok(contrast(tokens['edge-strong'], tokens.panel) >= 3, 'what one types into has an edge one sees');
  });
}

test('the system theme is the dark one, word for word', () => {
  const block = css.slice(css.indexOf('@media (prefers-color-scheme: dark)'));
  const system = Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, n, hex]) => [n, hex]));
  assert.deepEqual(system, colours(":root[data-theme='dark']"));
});
