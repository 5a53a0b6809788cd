/** What this device keeps between visits, by table. A browser that keeps nothing (private mode, full) only forgets. */

const PREFIX = 'bookboard';

/**
 * @param {string} name
 * @param {string} [table]
 */
function keyOf(name, table) {
  return [PREFIX, name, table].filter(Boolean).join('.');
}

/**
 * @template T
 * @param {string} name
 * @param {string} [table]
 * @returns {T | null}
 */
export function recall(name, table) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name, table)) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {unknown} value  null forgets
 * @param {string} [table]
 */
export function keep(name, value, table) {
  try {
    if (value === null) localStorage.removeItem(keyOf(name, table));
    else localStorage.setItem(keyOf(name, table), JSON.stringify(value));
  } catch {
    // Nothing is lost but the memory of it.
  }
}

/**
 * Under what something of this name is kept for a table: the table itself, or one of many (`CODE.ID`).
 *
 * @param {string} name
 * @param {string} table
 */
export function keptUnder(name, table) {
  const [whole, under] = [keyOf(name, table), `${keyOf(name, table)}.`];
  try {
    return Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
      .filter((key) => key === whole || key.startsWith(under))
      .map((key) => key.slice(keyOf(name, '').length + 1));
  } catch {
    return [];
  }
}
