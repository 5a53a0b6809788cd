/** The projector: one number matters and is huge, everything else explains it and stays quiet. */

import { codeInAddress, Keyring, takeWatchLink } from '../core/identity.js';
import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { keepAwake } from '../core/awake.js';
import { Counter } from './counter.js';
import { draw } from './draw.js';
import { watchPointer } from './pointer.js';

const store = new Store();
const keys = new Keyring(codeInAddress(), ['watch', 'token', 'invite']);
const redraw = () => store.touch();
const around = { counter: new Counter(redraw), awake: keepAwake(redraw), pointer: watchPointer(redraw), redraw };

takeWatchLink(codeInAddress());
await openTablePage({
  screen: 'display',
  store,
  token: () => keys.token(),
  onClosedForGood: () => keys.putAside(),
  draw: ({ code, serverNow }) => draw({ code, state: store.state, now: serverNow(), ...around }),
});
