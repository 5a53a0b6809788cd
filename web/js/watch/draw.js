/**
 * The watch page: a head, a panel a side, the chart, the sheet.
 *
 * @import {View} from '../protocol.js'
 * @import {Watch} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { readClock } from '../core/clock.js';
import { watchPage } from '../core/links.js';
import { sideName, sideNote } from '../core/names.js';
import { nextTheme, theme } from '../core/theme.js';
import { plain, t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { banner } from '../parts/banner.js';
import { handCard, removedHands } from '../parts/hand-card.js';
import { reasonText, scoresText, winnerText } from '../parts/outcome.js';
import { recordLinks } from '../parts/record-links.js';
import { closedScreen, connectingScreen } from '../parts/screens.js';
import { chart } from './chart.js';
import { sheetTable } from './table.js';

/**
 * @param {Watch} watch
 * @param {number} now  the server's clock
 */
export function draw(watch, now) {
  const { state } = watch.store;
  if (state.link === 'closed') return closedScreen(state.closedBecause, watch.code, state.view !== null);
  if (!state.view) return connectingScreen(state);
  const { view } = state;
  return html`${banner(state)}
    <main class="watch">
      ${head(watch, view, now)}
      <div class="overview ${view.game.sides.length > 2 ? 'of-many' : ''}">
        ${view.game.sides.map((side, index) => sidePanel(view, side, index))}
        <section class="panel chart-panel" aria-label=${t('ui.watch.chart')}>${chart(view)}</section>
      </div>
      ${sheet(watch, view)} ${games(watch, view)}
    </main>`;
}

/**
 * @param {Watch} watch
 * @param {View} view
 * @param {number} now
 */
function head(watch, view, now) {
  const { state } = watch.store;
  const names = view.game.sides.map((side) => sideName(view, side)).join(` ${t('ui.watch.versus')} `);
  const clock = readClock(view.clock, now);
  return html`<header class="watch-head">
    <div>
      <h1 class="name" translate="no">${view.table.name}${view.game.sides.length === 2 ? ` · ${names}` : ''}</h1>
      <p class="quiet">
        ${faceOf(view.rules.key).headline(view)} ·
        <a href=${watchPage(view, '/rules')}>${t('ui.rules.fingerprint', { fingerprint: view.rules.fingerprint })}</a>
      </p>
    </div>
    <div class="watch-state">
      ${phase(view, clock)}
      <span class="live ${state.link === 'live' ? 'helps' : 'hurts'}">${liveText(state.link, state.screens)}</span>
      <a class="small" href="/t/${view.table.code}/play">${t('ui.watch.play')}</a>
      <button
        class="plain small"
        @click=${() => {
          nextTheme();
          watch.store.touch();
        }}
      >
        ${t('ui.watch.theme', { theme: t(`ui.theme.${theme()}`) })}
      </button>
    </div>
  </header>`;
}

/**
 * @param {View} view
 * @param {ReturnType<typeof readClock>} clock
 */
function phase(view, clock) {
  const { outcome, phase } = view.game;
  if (phase === 'over' && outcome) {
    return html`<strong>${winnerText(view, outcome)} · ${reasonText(outcome)}</strong>`;
  }
  if (phase === 'waiting') return html`<strong>${t('ui.watch.not_started')}</strong>`;
  if (clock.kind === 'last' || clock.kind === 'extra') return html`<strong>${t(`ui.clock.${clock.kind}`)}</strong>`;
  const paused = clock.kind === 'paused' ? ` ${t('ui.clock.paused')}` : '';
  return clock.text
    ? html`<strong class=${clock.isShort ? 'hurts' : ''} translate="no">${clock.text}${paused}</strong>`
    : nothing;
}

/**
 * @param {string} link
 * @param {number | null} screens
 */
function liveText(link, screens) {
  if (link !== 'live') return t('ui.link.not_live');
  return screens === null ? t('ui.link.live') : t('ui.link.live_watching', { screens });
}

/**
 * @param {View} view
 * @param {string} side
 * @param {number} index
 */
function sidePanel(view, side, index) {
  const note = sideNote(view, side);
  return html`<section class="panel side-panel side-${index + 1}">
    <h2 class="name" translate="no">
      ${sideName(view, side)}${note ? html`<span class="quiet"> · ${note}</span>` : nothing}
    </h2>
    <p class="figure" data-score=${side} translate="no">${plain(view.game.scores[side] ?? 0)}</p>
    <p class="quiet">${faceOf(view.rules.key).standing(view, side)}</p>
  </section>`;
}

/**
 * @param {Watch} watch
 * @param {View} view
 */
function sheet(watch, view) {
  if (view.game.phase === 'waiting' && !view.hands.length) {
    return html`<section class="panel quiet">${t('ui.watch.waiting')}</section>`;
  }
  if (!watch.narrow.matches)
    return html`<section class="panel">${sheetTable(watch, view)} ${sheetNote(view)} ${removedHands(view)}</section>`;
  const inPlay = view.game.phase === 'playing';
  return html`<section class="cards">
    ${inPlay ? html`<p class="panel strong">${faceOf(view.rules.key).now(view, watch.store.state.outlook)}</p>` : nothing}
    ${[...view.hands].reverse().map((hand) =>
      handCard({
        view,
        hand,
        isOpen: watch.open.has(hand.number),
        toggle: () => watch.toggle(hand.number),
      }),
    )}
    ${sheetNote(view)} ${removedHands(view)}
  </section>`;
}

/** @param {View} view */
function sheetNote(view) {
  const note = faceOf(view.rules.key).sheetNote?.(view);
  return note ? html`<p class="quiet small">${note}</p>` : nothing;
}

/**
 * The games of this table, each to be taken away as a file.
 *
 * @param {Watch} watch
 * @param {View} view
 */
function games(watch, view) {
  const { number, phase, scores } = view.game;
  if (phase === 'waiting' && !view.past.length) return nothing;
  const score = (/** @type {Record<string, number>} */ each) => scoresText(Object.values(each));
  const row = (/** @type {number} */ game, /** @type {string} */ told, /** @type {string} */ points) =>
    html`<li class="spread">
      <span class="name"
        >${t('ui.watch.game', { game })} · ${told} <span class="strong" translate="no">${points}</span></span
      >
      ${recordLinks({ view, game, token: watch.keys.token(), failed: () => watch.recordFailed() })}
    </li>`;
  return html`<section class="panel stack">
    <h2>${t('ui.records.title')}</h2>
    <ul class="games-list">
      ${phase === 'waiting' ? nothing : row(number, t(`ui.records.${phase}`), score(scores))}
      ${[...view.past]
        .reverse()
        .map((game) =>
          row(
            game.number,
            game.winner ? t('ui.over.won', { side: game.winner }) : t('ui.over.no_winner'),
            score(game.scores),
          ),
        )}
    </ul>
    ${watch.hasRecordFailed ? html`<p class="refusal" role="alert">${t('ui.records.failed')}</p>` : nothing}
    <p class="quiet small">${t('ui.records.text')} <a href=${watchPage(view, '/sheet')}>${t('ui.printed.open')}</a></p>
  </section>`;
}
