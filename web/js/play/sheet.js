/**
 * The hands so far on the phone: open one to see why, correct it, or take the last one back.
 *
 * @import {HandView, View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { scoredHand } from '../core/hands.js';
import { t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { handCard, handHistory, handReasons, removedHands } from '../parts/hand-card.js';
import { refusalText } from '../parts/refusal.js';
import { noteStrip } from './notices.js';
import { consequences } from './preview.js';
import { askedAbout } from './question.js';
import { backBar } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function sheetPanel(play, view) {
  const canCorrect = faceOf(view.rules.key).form !== null;
  const correct = (/** @type {HandView} */ hand) => {
    play.desk.correct(hand);
    play.show(null);
  };
  return html`<main class="work">
      <h1>${t('ui.sheet.title')}</h1>
      ${view.hands.length ? '' : html`<p class="quiet">${t('ui.sheet.empty')}</p>`}
      ${[...view.hands].reverse().map((hand) =>
        handCard({
          view,
          hand,
          isOpen: play.openHand === hand.id,
          toggle: () => {
            play.openHand = play.openHand === hand.id ? null : hand.id;
            play.store.touch();
          },
          actions: html`<div class="chips">
            <button ?hidden=${!canCorrect} @click=${() => correct(hand)}>
              ${t('ui.play.correct_hand', { hand: hand.number })}
            </button>
            <button @click=${() => play.show('remove')}>${t('ui.remove.ask')}</button>
          </div>`,
        }),
      )}
      ${removedHands(view)}
    </main>
    ${backBar(play)}`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function undoPanel(play, view) {
  const last = handAskedAbout(play, view) ?? view.hands.at(-1);
  return last ? sure(play, view, last, 'undo', 'take_back_hand') : sheetPanel(play, view);
}

/**
 * A hand that never was: entered twice, or for another table.
 *
 * @param {Play} play
 * @param {View} view
 */
export function removePanel(play, view) {
  const hand = handAskedAbout(play, view) ?? view.hands.find((each) => each.id === play.openHand);
  return hand ? sure(play, view, hand, 'remove', 'remove_hand') : sheetPanel(play, view);
}

/**
 * @param {Play} play
 * @param {View} view
 */
function handAskedAbout({ asked }, view) {
  return asked ? scoredHand(view, asked.hand) : undefined;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {HandView} hand
 * @param {'undo' | 'remove'} words
 * @param {'take_back_hand' | 'remove_hand'} type
 */
function sure(play, view, hand, words, type) {
  play.asked ??= askedAbout(view, hand);
  const at = { game: view.game.number, hand: hand.id, revision: play.revision };
  const facts = { hand: hand.number };
  if (play.store.state.link === 'live') play.question.ask(JSON.stringify([type, at]), { type, ...at });
  const { result, refused } = play.question;
  return html`<main class="work">
      <h1>${t(`ui.${words}.title`, facts)}</h1>
      <p>${t(`ui.${words}.text`, facts)}</p>
      ${result ? html`<section class="panel preview" aria-live="polite">${consequences(view, result)}</section>` : nothing}
      ${refused ? html`<p class="refusal panel" role="alert">${refusalText(refused)}</p>` : nothing}
      <section class="panel stack">${handReasons(view, hand)} ${handHistory(view, hand)}</section>
    </main>
    <footer class="bottom">
      ${noteStrip(play, view)}
      <div class="actions">
        <button @click=${() => play.show(null)}>${t(`ui.${words}.keep`)}</button>
        <button class="main" ?disabled=${refused !== null} @click=${() => play.do({ type, ...at })}>
          ${t(`ui.${words}.do`, facts)}
        </button>
      </div>
    </footer>`;
}
