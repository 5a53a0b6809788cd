/** QR codes, made by the server, kept by their text. */

import { Answers, ask, post } from './ask.js';

/** @type {Answers<string>} */
const known = new Answers();
/** @type {Answers<{addresses: string[]}>} */
const here = new Answers();

/**
 * The picture's address, as soon as it is here.
 *
 * @param {string} text
 * @param {() => void} arrived
 */
export function qrFor(text, arrived) {
  const drawn = async () => `data:image/svg+xml,${encodeURIComponent(await post('/api/qr', { text }, { as: 'text' }))}`;
  return known.get(text, drawn, arrived);
}

/**
 * The origin other devices reach this server at: this page's, unless it is this machine's own name for itself.
 *
 * @param {string[]} addresses
 */
export function originForOthers(addresses) {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return isLocal ? (addresses[0] ?? location.origin) : location.origin;
}

/**
 * The origins at which other devices reach this server, for pages without a line to it; none until they are here.
 *
 * @param {() => void} arrived
 */
export function addressesHere(arrived) {
  return here.get('/api/here', () => ask('/api/here'), arrived).answer?.addresses ?? [];
}
