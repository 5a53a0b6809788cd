/** The scores over a film of the table: transparent, for OBS and its like. */

import { codeInAddress, Keyring, takeWatchLink } from '../core/identity.js';
import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { draw } from './draw.js';

const store = new Store();
const keys = new Keyring(codeInAddress(), ['watch', 'token', 'invite']);

takeWatchLink(codeInAddress());
await openTablePage({
  screen: 'display',
  store,
  token: () => keys.token(),
  onClosedForGood: () => keys.putAside(),
  draw: ({ code, serverNow }) => draw(store.state, code, serverNow()),
});
