/** Files that people take away from a page, or bring to it. */

/**
 * @param {string} name
 * @param {string | Blob} content
 * @param {string} [type]
 */
export function saveFile(name, content, type = 'application/json') {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * A name that every system takes for a file: `league-night.json`.
 *
 * @param {string} name
 * @param {string} suffix
 */
export function fileName(name, suffix) {
  const plain = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['bookboard'];
  return `${plain.join('-')}.${suffix}`;
}

/**
 * The text of the file just chosen; the same file can be chosen again afterwards.
 *
 * @param {Event} event
 * @returns {Promise<{name: string, text: string} | null>}
 */
export async function chosenFile({ target }) {
  const input = /** @type {HTMLInputElement} */ (target);
  const file = input.files?.[0];
  if (!file) return null;
  const text = textOf(new Uint8Array(await file.arrayBuffer()));
  input.value = '';
  return { name: file.name.replace(/\.\w+$/, ''), text };
}

/**
 * The text of a file in UTF-8, or in UTF-16 as spreadsheets on Windows save it.
 *
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (!!first && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && !!second);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
