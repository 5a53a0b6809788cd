/** The score sheet on paper, to be signed. */

import { codeInAddress, Keyring, takeWatchLink } from '../core/identity.js';
import { openTablePage } from '../core/page.js';
import { Store } from '../core/store.js';
import { closedScreen, connectingScreen } from '../parts/screens.js';
import { draw } from './draw.js';

const code = codeInAddress();
const store = new Store();
const keys = new Keyring(code, ['watch', 'token', 'invite']);

takeWatchLink(code);
await openTablePage({
  screen: 'watch',
  store,
  token: () => keys.token(),
  onClosedForGood: () => keys.putAside(),
  draw: () => {
    const { state } = store;
    if (state.link === 'closed') return closedScreen(state.closedBecause, code, state.view !== null);
    return state.view ? draw(state.view) : connectingScreen(state);
  },
});
