/** Texts cut between what people take for characters: a family, a flag or a letter with its marks stays whole. */

const CODE_POINTS_EACH = 2; // on average; the server takes no longer name

/** @type {Intl.Segmenter | null} */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/**
 * @param {string} text
 * @returns {string[]}  by code points in a browser that knows no better
 */
export function characters(text) {
  return segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text];
}

/**
 * @param {string} text
 * @param {number} longest  in characters
 */
export function cut(text, longest) {
  if (text.length <= longest) return text;
  let kept = '';
  for (const character of characters(text).slice(0, longest)) {
    if ([...kept, ...character].length > longest * CODE_POINTS_EACH) break;
    kept += character;
  }
  return kept;
}
