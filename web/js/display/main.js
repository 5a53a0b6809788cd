/** The projector: one number matters and is huge, everything else explains it and stays quiet. */

import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { Counter } from './counter.js';
import { draw } from './draw.js';
import { keepAwake } from './awake.js';

const store = new Store();
const counter = new Counter(() => store.touch());
const awake = keepAwake(() => store.touch());

await openTablePage({
  screen: 'display',
  store,
  draw: ({ code, serverNow }) =>
    draw({ code, state: store.state, counter, awake, now: serverNow(), redraw: () => store.touch() }),
});
