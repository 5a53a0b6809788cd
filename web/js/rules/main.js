/** Rules in plain sentences: of a game (`/rules/spades?rules=CODE`), or of a table as it plays (`/t/CODE/rules`). */

import { Answers, ask } from '../core/ask.js';
import { Drawing } from '../core/drawing.js';
import { codeInAddress, Keyring, takeWatchLink } from '../core/identity.js';
import { openTablePage } from '../core/page.js';
import { addressesHere, originForOthers } from '../core/qr.js';
import { areRulesLate, rulesInWords, whenRulesCome } from '../core/rulebook.js';
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
      const told = { told: rulesInWords(rules), isLate: areRulesLate(rules), refused: null };
      const about = { ...told, table: { name: table.name, code }, origin };
      return draw({ ...about, shelf, redraw });
    },
  });
}

async function showRules() {
  await loadWords();
  const drawing = new Drawing();
  const shelf = new Shelf(redraw);
  const address = `/api${location.pathname}${location.search}`;
  /** @type {Answers<import('../core/types.js').RulesInWords>} */
  const known = new Answers();

  function redraw() {
    requestAnimationFrame(() => drawing.draw(page));
  }

  function page() {
    const { answer: told, isLate, refused } = known.get(address, () => ask(address), redraw);
    const origin = originForOthers(addressesHere(redraw));
    return draw({ told, isLate, refused, table: null, origin, shelf, redraw });
  }

  whenRulesCome(redraw);
  redraw();
}
