/** Ids and secrets. `crypto.randomUUID` and `crypto.subtle` are not there over plain HTTP; `getRandomValues` is. */

/** A secret for the server to know somebody by: 32 random bytes in base64url. */
export function newSecret() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** The id of one command or one question. */
export function newId() {
  return base64url(crypto.getRandomValues(new Uint8Array(12)));
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
