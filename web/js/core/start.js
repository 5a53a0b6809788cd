/** How far this page has come, for `boot.js`, which says what is wrong until the page stands. */

const IS_TOO_OLD = 'too-old';

if (typeof document !== 'undefined' && document.documentElement.dataset['page'] !== IS_TOO_OLD) {
  document.documentElement.dataset['page'] = 'running';
}

/** The page draws itself from now on. */
export function pageStands() {
  if (document.documentElement.dataset['page'] === IS_TOO_OLD) return;
  document.getElementById('start')?.remove();
  try {
    sessionStorage.removeItem('bookboard.failures');
  } catch {
    // Then nothing was counted.
  }
}

/** Something the page cannot do without has not come, and is being asked for again. */
export function startIsLate() {
  for (const each of document.getElementById('start')?.children ?? []) {
    each.toggleAttribute('hidden', each.id !== 'trying');
  }
}
