/**
 * The game on a page: every hand, how it ended, the rules' fingerprint, and a line for each side and the host to sign.
 *
 * @import {HandView, View} from '../protocol.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { personName, playerAt, position, sideName, sideNote } from '../core/names.js';
import { plain, t } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { columnName, removedHands, whoEntered } from '../parts/hand-card.js';
import { reasonText, winnerText } from '../parts/outcome.js';

/** @param {View} view */
export function draw(view) {
  const { outcome, number, started_at, sides, seats } = view.game;
  const day = started_at === null ? '' : new Date(started_at).toLocaleDateString(undefined, { dateStyle: 'long' });
  const players = seats.filter((seat) => view.people.seats[seat] && !sides.includes(seat));
  return html`<main class="printed">
    <header>
      <h1 class="name" translate="no">${view.table.name} · ${t('ui.watch.game', { game: number })}</h1>
      <p>
        ${faceOf(view.rules.key).headline(view)} ·
        ${t('ui.rules.fingerprint', { fingerprint: view.rules.fingerprint })}${day ? ` · ${day}` : nothing}
      </p>
      ${
        players.length
          ? html`<p>${players.map((seat) => `${position(seat)}: ${playerAt(view, seat)}`).join(' · ')}</p>`
          : nothing
      }
    </header>
    <p class="quiet on-paper">${t('ui.printed.on_paper')}</p>
    ${hands(view)}
    <section>
      <p class="strong" translate="no">
        ${sides.map((side) => `${sideName(view, side)} ${plain(view.game.scores[side] ?? 0)}`).join(' – ')}
      </p>
      <p>${outcome ? `${winnerText(view, outcome)} · ${reasonText(outcome)}` : t('ui.printed.not_over')}</p>
      ${removedHands(view)}
    </section>
    <footer class="signatures">
      ${sides.map((side) => signature(sideName(view, side), sideNote(view, side)))}
      ${signature(t('ui.printed.host'), personName(view, view.table.host))}
    </footer>
    <button class="main no-print" @click=${() => print()}>${t('ui.rules.print')}</button>
  </main>`;
}

/** @param {View} view */
function hands(view) {
  const { columns } = faceOf(view.rules.key);
  const { sides } = view.game;
  return html`<table class="sheet">
    <thead>
      <tr>
        <th scope="col" rowspan="2">${t('ui.sheet.columns.hand')}</th>
        <th scope="col" rowspan="2">${t('ui.sheet.columns.deal')}</th>
        ${sides.map((side) => html`<th scope="colgroup" colspan=${columns.length} class="name" translate="no">${sideName(view, side)}</th>`)}
        <th scope="col" rowspan="2">${t('ui.sheet.columns.entered_by')}</th>
      </tr>
      <tr>
        ${sides.map(() => columns.map(({ label }) => html`<th scope="col">${columnName(label)}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${view.hands.map((hand) => row(view, hand))}
    </tbody>
  </table>`;
}

/**
 * @param {View} view
 * @param {HandView} hand
 */
function row(view, hand) {
  const { columns } = faceOf(view.rules.key);
  return html`<tr>
    <td>${hand.number}</td>
    <td class="deal">${position(hand.dealer)}</td>
    ${view.game.sides.map((side) => columns.map((column) => html`<td translate="no">${column.cell(hand, side).text}</td>`))}
    <td class="who" translate="no">${whoEntered(view, hand)}</td>
  </tr>`;
}

/**
 * @param {string} who
 * @param {string} note
 */
function signature(who, note) {
  const more = note ? html`<span class="quiet"> · ${note}</span>` : nothing;
  return html`<p class="signature name" translate="no">${who}${more}</p>`;
}
