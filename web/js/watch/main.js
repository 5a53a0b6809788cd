/** For whoever watches: the scores, how they came about, hand by hand. */

import { codeInAddress, Keyring, takeWatchLink } from '../core/identity.js';
import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { draw } from './draw.js';

export class Watch {
  store = new Store();
  /** @type {Set<number>} */
  open = new Set();
  narrow = matchMedia('(max-width: 60rem)');
  code = codeInAddress();
  keys = new Keyring(this.code, ['watch', 'token', 'invite']);

  hasRecordFailed = false;

  recordFailed() {
    this.hasRecordFailed = true;
    this.store.touch();
  }

  /** @param {number} hand */
  toggle(hand) {
    if (!this.open.delete(hand)) this.open.add(hand);
    this.store.touch();
  }
}

const watch = new Watch();
takeWatchLink(watch.code);
watch.narrow.addEventListener('change', () => watch.store.touch());
await openTablePage({
  screen: 'watch',
  store: watch.store,
  token: () => watch.keys.token(),
  onClosedForGood: () => watch.keys.putAside(),
  draw: ({ serverNow }) => draw(watch, serverNow()),
});
