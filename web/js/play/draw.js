/**
 * Which screen the phone shows, by who holds it and how far the game is.
 *
 * @import {Play} from './main.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { banner } from '../parts/banner.js';
import { connectingScreen } from '../parts/screens.js';
import { bookPanel } from './book.js';
import { handScreen } from './hand.js';
import { lobby } from './lobby.js';
import { menuPanel } from './menu.js';
import { overScreen } from './over.js';
import { endPanel, namesPanel, rulesPanel } from './host.js';
import { invitePanel, privacyPanel } from './invite.js';
import { handoverPanel, peoplePanel } from './people.js';
import { claimScreen, seatsPanel } from './seats.js';
import { goneScreen, strangerScreen } from './stranger.js';
import { closeOutdatedQuestion } from './question.js';
import { recordsPanel } from './records.js';
import { putBackButton, putBackPanel } from './put-back.js';
import { removePanel, sheetPanel, undoPanel } from './sheet.js';
import { scoresOnTop } from './top.js';

const PANELS = {
  sheet: sheetPanel,
  menu: menuPanel,
  undo: undoPanel,
  remove: removePanel,
  seats: seatsPanel,
  names: namesPanel,
  rules: rulesPanel,
  book: bookPanel,
  records: recordsPanel,
  invite: invitePanel,
  privacy: privacyPanel,
  people: peoplePanel,
  handover: handoverPanel,
  end: endPanel,
  put_back: putBackPanel,
};

/**
 * @param {Play} play
 * @param {number} now  the server's clock
 */
export function draw(play, now) {
  const { state } = play.store;
  const { view, role } = state;
  if (state.link === 'closed') return goneScreen(play);
  if (!view || !role) return connectingScreen(state);
  if (role === 'spectator') return strangerScreen(play, view);
  if (role === 'invited') return claimScreen(play, view);
  play.desk.follow(view);
  closeOutdatedQuestion(play, view);
  return html`${banner(state, 'play', putBackButton(play))} ${scoresOnTop(view, now)} ${body(play, view)}`;
}

/**
 * @param {Play} play
 * @param {import('../protocol.js').View} view
 */
function body(play, view) {
  if (play.panel) return PANELS[play.panel](play, view);
  if (play.desk.draft?.isCorrection) return handScreen(play, view);
  if (view.game.phase === 'waiting') return lobby(play, view);
  if (view.game.phase === 'over') return overScreen(play, view);
  return handScreen(play, view);
}
