/** Who this device is at a table: the token of its own, or the one that an invitation (a QR's fragment) brought. */

import { keep, recall } from './keep.js';

/** The table's code in this page's address. */
export function codeInAddress() {
  return (location.pathname.split('/')[2] ?? '').toUpperCase();
}

/**
 * Move an invitation out of the address bar, where it would be seen and shared.
 *
 * @param {string} code
 */
export function takeInvitation(code) {
  const token = location.hash.slice(1);
  if (!token) return;
  keep('invite', token, code);
  history.replaceState(null, '', location.pathname);
}

/**
 * What this device can show at a table, best first.
 *
 * @param {string} code
 * @returns {string[]}
 */
export function tokensFor(code) {
  const tokens = [recall('token', code), recall('invite', code)];
  return /** @type {string[]} */ (tokens.filter((token) => typeof token === 'string'));
}

/** @param {string} code */
export function invitationTo(code) {
  return /** @type {string | null} */ (recall('invite', code));
}

/**
 * @param {string} code
 * @param {string} token
 */
export function becomeKnown(code, token) {
  keep('token', token, code);
}

/** What people type for a letter or number that codes do not have. */
const LOOK_ALIKES = /** @type {Record<string, string>} */ ({ 2: 'Z', 5: 'S', 8: 'B', 1: 'L', I: 'L', 0: 'Q', O: 'Q' });

/**
 * A table's code as somebody typed it: spaces, dashes, case and look-alikes do not matter.
 *
 * @param {string} typed
 */
export function tidyCode(typed) {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return letters.replace(/[2581I0O]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}
