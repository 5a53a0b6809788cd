/** A landed hand takes its moment: the numbers count to their new values, in under a second. */

const COUNT_MS = 800;

export class Counter {
  /** @type {Map<string, {from: number, to: number, since: number}>} */
  #numbers = new Map();
  #redraw;
  #isStill = matchMedia('(prefers-reduced-motion: reduce)');

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.#redraw = redraw;
  }

  /**
   * The number to show now on the way to `to`.
   *
   * @param {string} name
   * @param {number} to
   */
  count(name, to) {
    const now = performance.now();
    const number = this.#numbers.get(name);
    if (!number || this.#isStill.matches) {
      this.#numbers.set(name, { from: to, to, since: 0 });
      return to;
    }
    const shown = valueAt(number, now);
    if (number.to !== to) {
      this.#numbers.set(name, { from: shown, to, since: now });
      this.#redraw();
      return shown;
    }
    if (shown !== to) this.#redraw();
    return shown;
  }
}

/**
 * @param {{from: number, to: number, since: number}} number
 * @param {number} now
 */
function valueAt({ from, to, since }, now) {
  const part = Math.min(1, (now - since) / COUNT_MS);
  return Math.round(from + (to - from) * (1 - (1 - part) ** 3));
}
