/**
 * The hand in play, or one being corrected: the game's form, what it would score, and the action.
 *
 * @import {HandForm} from '../games/index.js'
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { refusalText } from '../parts/refusal.js';
import { noteStrip } from './notices.js';
import { previewPanel } from './preview.js';
import { tools } from './tools.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function handScreen(play, view) {
  const { form: face } = faceOf(view.rules.key);
  const form = play.desk.form(view);
  if (!face) return cannotEnterYet(play, view);
  const isShown = face.isShowingResult(form);
  const hasResult = isShown && face.isReady(form);
  return html`<main class="work ${hasResult ? 'has-result' : ''}">
      <div class="spread work-head">
        <h1>${form.isCorrection ? t('ui.play.correcting', { hand: form.hand }) : face.title(form)}</h1>
        ${form.isCorrection ? nothing : tools(play)}
      </div>
      ${face.body(form)} ${hasResult ? preview(play, view, form) : nothing}
    </main>
    <footer class="bottom">
      ${noteStrip(play, view)}
      <div class="actions">${leftAction(play, view, form)} ${mainAction(play, view, form)}</div>
    </footer>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
function cannotEnterYet(play, view) {
  return html`<main class="work">
      <div class="spread work-head">
        <h1>${t('ui.sheet.hand', { hand: view.in_play.hand })}</h1>
        ${tools(play)}
      </div>
      <p class="quiet">${t('ui.play.not_on_phones_yet', { title: view.rules.title })}</p>
    </main>
    <footer class="bottom">${noteStrip(play, view)}</footer>`;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {HandForm} form
 */
function leftAction(play, view, form) {
  if (form.isCorrection) return html`<button @click=${() => play.desk.drop()}>${t('ui.play.back')}</button>`;
  if (!view.hands.length) return nothing;
  return html`<button @click=${() => play.show('undo')}>${t('ui.play.undo')}</button>`;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {HandForm} form
 */
function mainAction(play, view, form) {
  const face = faceOf(view.rules.key).form;
  if (play.desk.outdated(view)) {
    return html`<button class="main" disabled>${t('ui.play.correct_hand', { hand: form.hand })}</button>`;
  }
  const onItsWay = play.outbox.parcels.find(
    ({ command, state }) => ['enter_hand', 'correct_hand'].includes(command.type) && state !== 'overtaken',
  );
  if (onItsWay) {
    const key = onItsWay.state === 'sent' ? 'ui.play.on_its_way' : 'ui.play.waits';
    return html`<button class="main" disabled>${t(key, { hand: form.hand })}</button>`;
  }
  if (face?.isReady(form) && face.isShowingResult(form)) {
    const name = form.isCorrection ? 'ui.play.correct_hand' : 'ui.play.enter_hand';
    return html`<button class="main" @click=${() => play.desk.enter()}>${t(name, { hand: form.hand })}</button>`;
  }
  const next = face?.next(form) ?? { text: '' };
  const go = () => next.aim && form.aimAt(next.aim);
  return html`<button class="main" ?disabled=${!next.aim} @click=${go}>${next.text}</button>`;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {HandForm} form
 */
function preview(play, view, form) {
  const face = faceOf(view.rules.key).form;
  if (!face?.isReady(form)) return nothing;
  if (form.refused && !form.refused.field) {
    return html`<p class="refusal panel" role="alert">${refusalText(form.refused)}</p>`;
  }
  if (form.preview) return previewPanel(view, form.preview);
  const key = play.store.state.link === 'live' ? 'ui.play.working_out' : 'ui.play.points_later';
  return form.refused ? nothing : html`<section class="panel preview quiet">${t(key)}</section>`;
}
