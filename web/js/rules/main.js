/** Rules in plain sentences: of a game (`/rules/spades?rules=CODE`), or of a table as it plays (`/t/CODE/rules`). */

import { render } from '../../vendor/lit-html/lit-html.js';
import { codeInAddress, Keyring, takeWatchLink } from '../core/identity.js';
import { openTablePage } from '../core/page.js';
import { addressesHere, originForOthers } from '../core/qr.js';
import { rulesInWords, whenRulesCome } from '../core/rulebook.js';
import { Store } from '../core/store.js';
import { loadWords } from '../core/words.js';
import { closedScreen, connectingScreen } from '../parts/screens.js';
import { Shelf } from '../parts/rules-shelf.js';
import { draw } from './draw.js';

if (location.pathname.startsWith('/t/')) await showTablesRules();
else await showRules();

async function showTablesRules() {
  const code = codeInAddress();
  takeWatchLink(code);
  const keys = new Keyring(code, ['watch', 'token', 'invite']);
  const store = new Store();
  const redraw = () => store.touch();
  const shelf = new Shelf(redraw);
  await openTablePage({
    screen: 'watch',
    store,
    token: () => keys.token(),
    onClosedForGood: () => keys.putAside(),
    draw: () => {
      const { state } = store;
      if (state.link === 'closed') return closedScreen(state.closedBecause, code, state.view !== null);
      if (!state.view) return connectingScreen(state);
      const { table, rules } = state.view;
      const origin = originForOthers(state.addresses);
      const about = { told: rulesInWords(rules), table: { name: table.name, code }, origin, refused: null };
      return draw({ ...about, shelf, redraw });
    },
  });
}

async function showRules() {
  await loadWords();
  const place = /** @type {HTMLElement} */ (document.getElementById('page'));
  /** @type {import('./draw.js').RulesPage} */
  const page = { told: null, table: null, origin: location.origin, refused: null, shelf: new Shelf(redraw), redraw };

  function redraw() {
    requestAnimationFrame(() => render(draw(page), place));
  }

  whenRulesCome(redraw);
  redraw();
  try {
    const answer = await fetch(`/api${location.pathname}${location.search}`);
    const body = await answer.json();
    if (answer.ok) page.told = body;
    else page.refused = body;
  } catch {
    page.refused = { code: 'offline', facts: {} };
  }
  page.origin = originForOthers(await addressesHere());
  redraw();
}
