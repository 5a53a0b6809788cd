/** Light, dark, or as the system has it. `boot.js` sets it before anything is drawn. */

import { keep } from './keep.js';

const ORDER = /** @type {const} */ (['system', 'light', 'dark']);

export function theme() {
  const set = document.documentElement.dataset['theme'];
  return ORDER.find((each) => each === set) ?? 'system';
}

export function nextTheme() {
  const next = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length] ?? 'system';
  document.documentElement.dataset['theme'] = next;
  keep('theme', next, document.documentElement.dataset['themeOf']);
}
