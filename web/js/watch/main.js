/** For whoever watches: the scores, how they came about, hand by hand. */

import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { draw } from './draw.js';

export class Watch {
  store = new Store();
  /** @type {Set<number>} */
  open = new Set();
  narrow = matchMedia('(max-width: 52rem)');
  code = '';

  /** @param {number} hand */
  toggle(hand) {
    if (!this.open.delete(hand)) this.open.add(hand);
    this.store.touch();
  }
}

const watch = new Watch();
watch.narrow.addEventListener('change', () => watch.store.touch());
await openTablePage({
  screen: 'watch',
  store: watch.store,
  draw: ({ code, serverNow }) => {
    watch.code = code;
    return draw(watch, serverNow());
  },
});
