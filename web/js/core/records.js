/** Games as files: a record, which scores the same wherever it is taken, or a sheet for spreadsheets. */

import { ask } from './ask.js';

/** @typedef {'json' | 'csv'} Format */
/** @typedef {{code: string, game: number, format?: Format}} Which */

/** @param {Which} which */
export function recordAddress({ code, game, format = 'json' }) {
  const as = format === 'csv' ? '&format=csv' : '';
  return `/api/tables/${encodeURIComponent(code)}/record?game=${game}${as}`;
}

/** @param {Which} which */
export function recordName({ code, game, format = 'json' }) {
  return `${code}-${game}.${format}`;
}

/**
 * @param {Which} which
 * @param {string | null} token  of somebody at the table, which a private table asks for
 * @param {'json' | 'file'} [as]
 * @returns {Promise<any>}
 */
export function fetchRecord(which, token, as = 'json') {
  return ask(recordAddress(which), { as, headers: token ? { Authorization: `Bearer ${token}` } : {} });
}

/**
 * What a file holds, as the server takes it: a record is JSON, anything else may be a sheet. Null for broken JSON.
 *
 * @param {string} text
 * @returns {{record: any} | {sheet: string} | null}
 */
export function gameInFile(text) {
  if (!/^\s*[{[]/.test(text)) return { sheet: text };
  try {
    return { record: JSON.parse(text) };
  } catch {
    return null;
  }
}
