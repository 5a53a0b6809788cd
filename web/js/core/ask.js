/**
 * Requests to the server: within a time, and only for what is really its answer, not a portal's or a proxy's. Where an
 * answer lasts it is kept, and asked for until it is there.
 *
 * @import {Refusal} from './types.js'
 */

import { bare } from './bare.js';

/** @typedef {RequestInit & {as?: keyof typeof READ}} Request */

// After a dead spot a browser may ask on a connection that died there, and would wait for it for minutes.
const PATIENCE_MS = 8_000;
const AGAIN_MS = 4_000;

const READ = {
  json: { type: /json/, read: async (/** @type {Response} */ answer) => bare(await answer.json()) },
  text: { type: /svg|plain/, read: (/** @type {Response} */ answer) => answer.text() },
  file: { type: /json|csv/, read: (/** @type {Response} */ answer) => answer.blob() },
};

/** The server said no, and why. */
export class RefusedError extends Error {
  /**
   * @param {Refusal} refusal
   * @param {number} status
   */
  constructor(refusal, status) {
    super(refusal.code);
    this.refusal = refusal;
    this.isFinal = status < 500 && status !== 408 && status !== 429;
  }
}

/**
 * What the server answers. Throws RefusedError if it refuses, another error if no answer of its own came in time.
 *
 * @param {string} address
 * @param {Request} [request]
 * @returns {Promise<any>}
 */
export async function ask(address, { as = 'json', ...request } = {}) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(address, { ...request, signal: patience.signal });
    const { type, read } = READ[answer.ok ? as : 'json'];
    if (!type.test(answer.headers.get('Content-Type') ?? '')) throw new Error(`not an answer: ${answer.status}`);
    const told = await read(answer);
    if (answer.ok) return told;
    throw typeof told?.code === 'string'
      ? new RefusedError(told, answer.status)
      : new Error(`not an answer: ${answer.status}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} address
 * @param {object} body
 * @param {Request} [request]
 */
export function post(address, body, request = {}) {
  const headers = { 'Content-Type': 'application/json' };
  return ask(address, { method: 'POST', headers, body: JSON.stringify(body), ...request });
}

/**
 * What to tell people when asking came to nothing.
 *
 * @param {unknown} error
 * @returns {Refusal}
 */
export function refusalIn(error) {
  return error instanceof RefusedError ? error.refusal : { code: 'offline', facts: {} };
}

/**
 * @template T
 * @typedef {object} Kept
 * @property {T | null} answer
 * @property {Refusal | null} refused  the server's last word about it
 * @property {boolean} isLate  asked for and not answered: it is asked for again
 */

/**
 * Answers that last, each asked for once. What did not come is asked for again as long as somebody wants it.
 *
 * @template T
 */
export class Answers {
  /** @type {Map<string, Kept<T> & {isAsking: boolean}>} */
  #kept = new Map();

  /**
   * @param {string} key
   * @param {() => Promise<T>} asking
   * @param {() => void} changed  there is something new to be drawn
   * @returns {Kept<T>}
   */
  get(key, asking, changed) {
    const kept = this.#kept.get(key) ?? { answer: null, refused: null, isLate: false, isAsking: false };
    this.#kept.set(key, kept);
    if (kept.answer !== null || kept.refused || kept.isAsking) return kept;
    kept.isAsking = true;
    asking()
      .then((answer) => Object.assign(kept, { answer, isLate: false }))
      .catch((error) => {
        if (error instanceof RefusedError && error.isFinal) kept.refused = error.refusal;
        else kept.isLate = true;
        setTimeout(() => {
          kept.isAsking = false;
          changed();
        }, AGAIN_MS);
      })
      .then(changed);
    return kept;
  }
}
