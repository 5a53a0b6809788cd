/** QR codes, made by the server, kept by their text. */

/** @type {Map<string, string | null>} */
const known = new Map();

/**
 * The picture's address, or null until it is here.
 *
 * @param {string} text
 * @param {() => void} arrived
 * @returns {string | null}
 */
export function qrFor(text, arrived) {
  if (!known.has(text)) {
    known.set(text, null);
    fetchQr(text)
      .then((url) => known.set(text, url) && arrived())
      .catch(() => setTimeout(() => known.delete(text) && arrived(), 5_000));
  }
  return known.get(text) ?? null;
}

/** @param {string} text */
async function fetchQr(text) {
  const answer = await fetch('/api/qr', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!answer.ok) throw new Error(`no QR: ${answer.status}`);
  return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
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

/** The origins at which other devices reach this server, for pages without a line to it. */
export async function addressesHere() {
  try {
    const answer = await fetch('/api/here');
    return /** @type {string[]} */ ((await answer.json()).addresses);
  } catch {
    return [];
  }
}
