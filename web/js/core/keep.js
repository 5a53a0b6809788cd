/**
 * What this device keeps between visits, by table. Where the browser keeps nothing (private mode, full, forbidden) it is
 * kept until the tab is closed, or at least until the page is left.
 */

import { bare } from './bare.js';

const PREFIX = 'bookboard';

/** What no storage took; null stands for what one of them would not let go of. @type {Map<string, string | null>} */
const memory = new Map();
/** @type {'visits' | 'tab' | 'page'} */
let lasts = 'visits';

/**
 * @param {string} name
 * @param {string} [table]
 */
function keyOf(name, table) {
  return [PREFIX, name, table].filter(Boolean).join('.');
}

/** The storages there are, the most lasting first. */
function storages() {
  return [() => localStorage, () => sessionStorage].flatMap((get) => {
    try {
      return get() ?? [];
    } catch {
      return [];
    }
  });
}

/**
 * @template T
 * @param {string} name
 * @param {string} [table]
 * @returns {T | null}
 */
export function recall(name, table) {
  const key = keyOf(name, table);
  try {
    const kept = memory.has(key)
      ? memory.get(key)
      : storages()
          .map((each) => each.getItem(key))
          .find(Boolean);
    return bare(JSON.parse(kept ?? 'null'));
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
  const key = keyOf(name, table);
  memory.delete(key);
  if (value === null) forget(key);
  else if (!put(key, JSON.stringify(value))) memory.set(key, JSON.stringify(value));
}

/**
 * How long what is kept here lasts: to the next visits, or only until this tab is closed or this page is left.
 */
export function keptUntil() {
  // What nothing was put into yet is asked with a word of no meaning.
  if (put(keyOf('try'), '1')) forget(keyOf('try'));
  return lasts;
}

/**
 * @param {string} key
 * @param {string} text
 */
function put(key, text) {
  for (const storage of storages()) {
    try {
      storage.setItem(key, text);
      lasts = isLocal(storage) ? 'visits' : 'tab';
      return true;
    } catch {
      forgetIn(storage, key);
    }
  }
  lasts = 'page';
  return false;
}

/** @param {Storage} storage */
function isLocal(storage) {
  try {
    return storage === localStorage;
  } catch {
    return false;
  }
}

/** @param {string} key */
function forget(key) {
  const areGone = storages().map((storage) => forgetIn(storage, key));
  if (areGone.includes(false)) memory.set(key, null);
}

/**
 * @param {Storage} storage
 * @param {string} key
 */
function forgetIn(storage, key) {
  try {
    storage.removeItem(key);
    return true;
  } catch {
    return false;
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
  const stored = storages().flatMap(keysOf);
  return [...new Set([...stored, ...memory.keys()])]
    .filter((key) => (key === whole || key.startsWith(under)) && memory.get(key) !== null)
    .map((key) => key.slice(keyOf(name, '').length + 1));
}

/** @param {Storage} storage */
function keysOf(storage) {
  try {
    return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
  } catch {
    return [];
  }
}
