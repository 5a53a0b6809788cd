/** The tables that this device has a part in, the newest first, for whoever comes back by the first page. */

import { keep, keptUnder, keptUntil, recall } from './keep.js';

/** @typedef {{code: string, name: string}} OwnTable */

const MAX_TABLES = 12;

/** @returns {OwnTable[]} */
export function ownTables() {
  const kept = recall('tables');
  return Array.isArray(kept) ? kept : [];
}

/**
 * @param {string} code
 * @param {string} name
 */
export function rememberTable(code, name) {
  const [newest] = ownTables();
  if (newest?.code === code && newest.name === name) return;
  const others = ownTables().filter((table) => table.code !== code);
  keep('tables', [{ code, name }, ...others].slice(0, MAX_TABLES));
}

/**
 * Off the list, and with it everything that this device has of the table, the keys to it among them.
 *
 * @param {string} code
 */
export function forgetTable(code) {
  keep(
    'tables',
    ownTables().filter((table) => table.code !== code),
  );
  for (const kind of ['token', 'invite', 'watch', 'draft', 'pending', 'entered']) {
    for (const each of keptUnder(kind, code)) keep(kind, null, each);
  }
}

/**
 * Where the code of a table leads on this device: to the hand, if it has a key or an invitation; else to the scores.
 *
 * @param {string} code
 */
export function wayTo(code) {
  const key = recall('token', code) ?? recall('invite', code);
  const page = `/t/${encodeURIComponent(code)}${key === null ? '' : '/play'}`;
  // The next page would not know it from a browser that forgets.
  return key !== null && keptUntil() === 'page' ? `${page}#${key}` : page;
}
