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
  return known.get(text, () => drawn(text), arrived);
}

/** @param {string} text */
async function drawn(text) {
  const picture = await post('/api/qr', { text }, { as: 'text' });
  if (!picture.trimEnd().endsWith('</svg>')) throw new Error('half a picture');
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/**
 * The origin other devices reach this server at: this page's, unless the server knows a better one.
 *
 * @param {string[]} addresses  as the server knows them, best first
 * @param {string} [here]
 */
export function originForOthers(addresses, here = location.origin) {
  const best = addresses[0];
  if (best === undefined || addresses.includes(here) || isOnlyHere(new URL(best).hostname)) return here;
  const isForAll = !isNumber(new URL(best).hostname); // a name is one that the operator has set
  return isForAll || isOnlyHere(new URL(here).hostname) ? best : here;
}

/** @param {string} host */
function isNumber(host) {
  return /^(\[.*\]|[\d.]+)$/.test(host);
}

/**
 * This machine's own name for itself, or one that many phones cannot look up.
 *
 * @param {string} host
 */
function isOnlyHere(host) {
  if (isNumber(host)) return /^(127\.|0\.|\[::1?\]|\[::ffff:(7f|0:))/.test(host);
  return !host.includes('.') || /\.(localhost|localdomain|local|lan|home|internal|home\.arpa)\.?$/.test(host);
}

/**
 * The origins at which other devices reach this server, for pages without a line to it; none until they are here.
 *
 * @param {() => void} arrived
 */
export function addressesHere(arrived) {
  return here.get('/api/here', () => ask('/api/here'), arrived).answer?.addresses ?? [];
}
