/**
 * The projector's picture, from the board alone.
 *
 * @import {BoardState} from '../core/store.js'
 * @import {View} from '../protocol.js'
 * @import {Counter} from './counter.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { readClock } from '../core/clock.js';
import { watchLink } from '../core/links.js';
import { position, sideIndex, sideName, sideNote } from '../core/names.js';
import { nextTheme, theme } from '../core/theme.js';
import { plain, signed, t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { banner } from '../parts/banner.js';
import { pointsTone } from '../parts/lines.js';
import { reasonText, winnerText } from '../parts/outcome.js';
import { qrPicture } from '../parts/qr-picture.js';
import { closedScreen, connectingScreen } from '../parts/screens.js';
import { marks } from './marks.js';

/** From here on a name is set smaller. */
const LONG_NAME = 20;

/**
 * @typedef {object} Projector
 * @property {string} code
 * @property {BoardState} state
 * @property {Counter} counter
 * @property {{isKept: boolean}} awake
 * @property {{isMoving: boolean}} pointer
 * @property {number} now  the server's clock
 * @property {() => void} redraw
 */

/** @param {Projector} projector */
export function draw(projector) {
  const { state, code } = projector;
  if (state.link === 'closed') return closedScreen(state.closedBecause, code, state.view !== null);
  const { view } = state;
  if (!view) return connectingScreen(state);
  const isLadder = view.game.sides.length > 2;
  const isStale = state.link !== 'live';
  return html`<div class="screen">
    ${banner(state)}
    <main class="board ${isStale ? 'is-stale' : ''}">
      ${head(projector, view)}
      <div class="${isLadder ? 'ladder' : 'panels'} of-${view.game.sides.length}">
        ${view.game.sides.map((side, index) =>
          isLadder ? ladderRow(projector, view, side, index) : panel(projector, view, side, index),
        )}
      </div>
      ${foot(projector, view)}
    </main>
    ${controls(projector)}
  </div>`;
}

/**
 * Out of sight until somebody moves the pointer.
 *
 * @param {Projector} projector
 */
function controls({ redraw, pointer }) {
  const switchTheme = () => {
    nextTheme();
    redraw();
  };
  const fullScreen = () => void document.documentElement.requestFullscreen?.();
  return html`<div class="controls ${pointer.isMoving ? 'is-shown' : ''}">
    <button @click=${fullScreen}>${t('ui.display.full_screen')}</button>
    <button @click=${switchTheme}>${t('ui.watch.theme', { theme: t(`ui.theme.${theme()}`) })}</button>
  </div>`;
}

/**
 * @param {Projector} projector
 * @param {View} view
 */
function head({ now }, view) {
  const { phase, seats } = view.game;
  const isFull = phase === 'waiting' && seats.every((seat) => view.people.seats[seat] !== undefined);
  const place =
    phase === 'playing'
      ? t('ui.display.in_play', { hand: view.in_play.hand })
      : t(`ui.display.${isFull ? 'about_to_start' : phase}`);
  return html`<header class="board-head">
    <p class="where"><strong translate="no">${view.table.name}</strong> <span class="quiet">· ${place}</span></p>
    ${middle(view, now)}
    <p class="what quiet">
      ${faceOf(view.rules.key).headline(view)} · ${t('ui.rules.house', { fingerprint: view.rules.fingerprint })}
    </p>
  </header>`;
}

/**
 * The clock, or what has taken its place.
 *
 * @param {View} view
 * @param {number} now
 */
function middle(view, now) {
  const { outcome, phase } = view.game;
  if (phase === 'over') return headline(t('ui.clock.over'), outcome ? reasonText(outcome) : '');
  const clock = readClock(view.clock, now);
  if (clock.kind === 'last' || clock.kind === 'extra') {
    return headline(t(`ui.clock.${clock.kind}`), faceOf(view.rules.key).whenLevel(view));
  }
  if (clock.kind === 'none') return headline('', '');
  return headline(clock.text, clock.kind === 'paused' ? t('ui.clock.paused') : '', clock.isShort);
}

/**
 * @param {string} text
 * @param {string} below
 * @param {boolean} [isShort]
 */
function headline(text, below, isShort = false) {
  return html`<div class="middle">
    <p class="big ${isShort ? 'hurts' : ''}" translate="no">${text}</p>
    <p class="quiet">${below}</p>
  </div>`;
}

/**
 * @param {Projector} projector
 * @param {View} view
 * @param {string} side
 * @param {number} index
 */
function panel(projector, view, side, index) {
  const { scores, outcome } = view.game;
  const score = plain(projector.counter.count(side, scores[side] ?? 0));
  const final = plain(scores[side] ?? 0);
  const change = view.hands.at(-1)?.sides[side]?.points;
  const hasWon = outcome?.winner === side;
  const name = sideName(view, side);
  return html`<section
    class="side-panel side-${index + 1} ${hasWon ? 'has-won' : ''} ${outcome && !hasWon ? 'has-lost' : ''}"
  >
    <div class="side-head">
      <h2>
        <span class="own-name ${name.length > LONG_NAME ? 'is-long' : ''}" translate="no">${name}</span>
        <span class="position quiet">${sideNote(view, side)}</span>
      </h2>
      ${chip(view, side)}
    </div>
    <div class="score">
      <p class="figure long-${Math.max(score.length, final.length)}" data-score=${side} translate="no">${score}</p>
      ${change === undefined ? nothing : html`<p class="change ${change ? 'side' : 'quiet'}" translate="no">${signed(change)}</p>`}
    </div>
    <div class="rows">${faceOf(view.rules.key).rows(view, side).map(marks)}</div>
  </section>`;
}

/**
 * @param {View} view
 * @param {string} side
 */
function chip(view, side) {
  const { outcome, phase } = view.game;
  if (outcome?.winner === side) return html`<span class="chip wins">${t('ui.display.wins')}</span>`;
  const { dealer } = view.in_play;
  const isDealing = phase !== 'over' && view.game.sides[sideIndex(view, dealer)] === side;
  if (!isDealing) return nothing;
  return html`<span class="chip">
    ${dealer === side ? t('ui.display.deals') : t('ui.display.seat_deals', { seat: position(dealer) })}
  </span>`;
}

/**
 * Three to eight players: the same language, a row each.
 *
 * @param {Projector} projector
 * @param {View} view
 * @param {string} side
 * @param {number} index
 */
function ladderRow(projector, view, side, index) {
  const change = view.hands.at(-1)?.sides[side]?.points;
  const score = projector.counter.count(side, view.game.scores[side] ?? 0);
  const hasWon = view.game.outcome?.winner === side;
  return html`<section class="ladder-row side-${index + 1} ${hasWon ? 'has-won' : ''}">
    <div class="who">
      <h2 translate="no">${sideName(view, side)}</h2>
      ${chip(view, side)}
    </div>
    <p class="change ${change ? 'side' : 'quiet'}" translate="no">${change === undefined ? '' : signed(change)}</p>
    <p class="figure" data-score=${side} translate="no">${plain(score)}</p>
  </section>`;
}

/**
 * @param {Projector} projector
 * @param {View} view
 */
function foot(projector, view) {
  const watchAt = watchLink(view, projector.state.addresses);
  return html`<footer class="board-foot">
    <div class="sentences">
      <p class="told">${lastHand(view)}</p>
      <p class="quiet">${now(projector, view)}</p>
    </div>
    ${projector.awake.isKept ? nothing : html`<p class="awake quiet">${t('ui.display.not_kept_awake')}</p>`}
    <div class="watch-qr">
      ${watchAt ? qrPicture(watchAt, t('ui.invite.watch_alt'), projector.redraw) : nothing}
      <p class="quiet">${t('ui.display.watch_code', { code: projector.code })}</p>
    </div>
  </footer>`;
}

/**
 * @param {Projector} projector
 * @param {View} view
 */
function now({ state }, view) {
  const { phase, outcome } = view.game;
  if (phase === 'waiting') return t('ui.display.waiting_text');
  if (phase === 'over' && outcome) return winnerText(view, outcome);
  return faceOf(view.rules.key).now(view, state.outlook);
}

/** @param {View} view */
function lastHand(view) {
  const hand = view.hands.at(-1);
  if (!hand) return view.game.phase === 'waiting' ? t('ui.display.scan_to_watch') : t('ui.display.first_hand');
  const face = faceOf(view.rules.key);
  const sides = view.game.sides.filter((side) => view.game.sides.length === 2 || hand.sides[side]?.lines.length);
  return html`${t('ui.sheet.hand', { hand: hand.number })}${sides.map((side) => {
    const points = hand.sides[side]?.points ?? 0;
    return html` · ${sideName(view, side)} ${face.summary(hand, side)}
      <strong class=${pointsTone(points)} translate="no">${signed(points)}</strong>`;
  })}`;
}
