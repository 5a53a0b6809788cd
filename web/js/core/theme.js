/** Light, dark, or as the system has it. `theme-first.js` sets it before anything is drawn. */

const ORDER = /** @type {const} */ (['system', 'light', 'dark']);

export function theme() {
  const set = document.documentElement.dataset['theme'];
  return ORDER.find((each) => each === set) ?? 'system';
}

export function nextTheme() {
  const next = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length] ?? 'system';
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(`bookboard.theme.${document.documentElement.dataset['themeOf']}`, next);
  } catch {
    // It holds until the page is left.
  }
}
