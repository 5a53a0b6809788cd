/** Who this device is at a table: the token of its own, or the one that an invitation (a QR's fragment) brought. */

import { keep, keptUntil, recall } from './keep.js';

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
  takeFragment('invite', code);
}

/**
 * The same for what a link to watch a private table brings.
 *
 * @param {string} code
 */
export function takeWatchLink(code) {
  takeFragment('watch', code);
}

/**
 * @param {Kind} kind
 * @param {string} code
 */
function takeFragment(kind, code) {
  const token = location.hash.slice(1);
  if (!token) return;
  keep(kind, token, code);
  // A browser that forgets would not know it after a reload: then it stays where it is.
  if (keptUntil() !== 'page') history.replaceState(null, '', location.pathname + location.search);
}

/** @typedef {'token' | 'invite' | 'watch'} Kind  one's own, an invitation to play, a link to watch a private table */

/** What this device can show at a table, best first; what the table does not know is put aside. */
export class Keyring {
  #code;
  #kinds;
  /** @type {Set<string>} */
  #aside = new Set();

  /**
   * @param {string} code
   * @param {Kind[]} kinds
   */
  constructor(code, kinds) {
    this.#code = code;
    this.#kinds = kinds;
  }

  /** @returns {string | null} */
  token() {
    const tokens = this.#kinds.map((kind) => recall(kind, this.#code));
    return tokens.find((token) => typeof token === 'string' && !this.#aside.has(token)) ?? null;
  }

  /** False if there was none to put aside: the table does not want even those who only watch. */
  putAside() {
    const token = this.token();
    if (token !== null) this.#aside.add(token);
    return token !== null;
  }
}

/**
 * What to put behind a link to watch, if the table is private and this device has it.
 *
 * @param {string} code
 */
export function watchTokenFor(code) {
  return /** @type {string | null} */ (recall('watch', code));
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
  if (keptUntil() === 'page' && code === codeInAddress()) {
    history.replaceState(history.state, '', `${location.pathname}${location.search}#${token}`);
  }
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

/**
 * A recovery phrase as somebody typed it: whatever stands between its words, and capitals, do not matter.
 *
 * @param {string} typed
 */
export function tidyPhrase(typed) {
  return (typed.toLowerCase().match(/[a-z]+/g) ?? []).join(' ');
}
