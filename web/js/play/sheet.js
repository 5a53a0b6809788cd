/**
 * The hands so far on the phone: open one to see why, correct it, or take the last one back.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { handCard, handReasons } from '../parts/hand-card.js';
import { noteStrip } from './note.js';
import { backBar } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function sheetPanel(play, view) {
  const canCorrect = faceOf(view.rules.key).form !== null;
  const correct = (/** @type {import('../protocol.js').HandView} */ hand) => {
    play.desk.correct(hand);
    play.show(null);
  };
  return html`<main class="work">
      <h1>${t('ui.sheet.title')}</h1>
      ${view.hands.length ? '' : html`<p class="quiet">${t('ui.sheet.empty')}</p>`}
      ${view.hands.toReversed().map((hand) =>
        handCard({
          view,
          hand,
          isOpen: play.openHand === hand.number,
          toggle: () => {
            play.openHand = play.openHand === hand.number ? null : hand.number;
            play.store.touch();
          },
          actions: html`<button ?hidden=${!canCorrect} @click=${() => correct(hand)}>
            ${t('ui.play.correct_hand', { hand: hand.number })}
          </button>`,
        }),
      )}
    </main>
    ${backBar(play)}`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function undoPanel(play, view) {
  const last = view.hands.at(-1);
  if (!last) return sheetPanel(play, view);
  const at = { game: view.game.number, hand: last.number, revision: play.revision };
  return html`<main class="work">
      <h1>${t('ui.undo.title', { hand: last.number })}</h1>
      <p>${t('ui.undo.text')}</p>
      <section class="panel">${handReasons(view, last)}</section>
    </main>
    <footer class="bottom">
      ${noteStrip(play, view)}
      <div class="actions">
        <button @click=${() => play.show(null)}>${t('ui.undo.keep')}</button>
        <button class="main" @click=${() => play.do({ type: 'take_back_hand', ...at })}>
          ${t('ui.undo.take_back', { hand: last.number })}
        </button>
      </div>
    </footer>`;
}
