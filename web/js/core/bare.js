/**
 * What came as JSON, without what every JavaScript object knows: people's names are keys in it, and nobody called
 * `constructor` may be taken for a function.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function bare(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  for (const each of Object.values(value)) bare(each);
  return value;
}
