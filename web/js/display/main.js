/** The projector: one number matters and is huge, everything else explains it and stays quiet. */

import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { keepAwake } from './awake.js';
import { Counter } from './counter.js';
import { draw } from './draw.js';
import { watchPointer } from './pointer.js';

const store = new Store();
const redraw = () => store.touch();
const around = { counter: new Counter(redraw), awake: keepAwake(redraw), pointer: watchPointer(redraw), redraw };

await openTablePage({
  screen: 'display',
  store,
  draw: ({ code, serverNow }) => draw({ code, state: store.state, now: serverNow(), ...around }),
});
