/**
 * Who sits where: the seat of a phone that was invited, and of one already here.
 *
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { isEachForThemselves, personName, playerAt, position, sideIndex, sideName } from '../core/names.js';
import { t } from '../core/words.js';
import { banner } from '../parts/banner.js';
import { textField } from '../parts/field.js';
import { refusalText } from '../parts/refusal.js';
import { forgetful } from './notices.js';
import { backBar } from './tools.js';

const TABLET = 'tablet';

/**
 * @param {Play} play
 * @param {View} view
 */
export function claimScreen(play, view) {
  return html`${banner(play.store.state)}
    <main class="work">
      <div>
        <p class="quiet">${view.table.name}</p>
        <h1>${t('ui.seats.claim_title')}</h1>
      </div>
      ${seatForm(play, view)}
    </main>
    <footer class="bottom">
      ${forgetful(play)} ${sureNote(play, view)}
      <div class="actions">${claimButton(play, view)}</div>
    </footer>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function seatsPanel(play, view) {
  return html`<main class="work">
      <h1>${t('ui.seats.panel_title')}</h1>
      ${seatForm(play, view)}
    </main>
    ${backBar(play, claimButton(play, view), sureNote(play, view))}`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
function seatForm(play, view) {
  const { refused } = play;
  return html`
    ${textField({
      label: t('ui.seats.your_name'),
      value: nameOf(play),
      set: (name) => play.type({ name }),
      refusal: refused?.field === 'name' ? refusalText(refused) : '',
      autocomplete: 'given-name',
    })}
    <div class="stack">
      <p class="strong">${t(isEachForThemselves(view) ? 'ui.seats.who' : 'ui.seats.where')}</p>
      <div class="targets">${view.game.seats.map((seat) => seatButton(play, view, seat))}</div>
      <button
        class="chip"
        aria-pressed=${play.typed['seat'] === TABLET}
        @click=${() => play.type({ seat: TABLET, sure: null })}
      >
        ${t('ui.seats.tablet')}
      </button>
      <p class="quiet small">${t('ui.seats.tablet_help')}</p>
      ${refused && refused.field !== 'name' ? html`<p class="refusal" role="alert">${refusalText(refused)}</p>` : nothing}
    </div>
  `;
}

/** @param {Play} play */
function nameOf(play) {
  return /** @type {string} */ (play.typed['name'] ?? play.myName);
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {string} seat
 */
function seatButton(play, view, seat) {
  const side = sideIndex(view, seat);
  const sitting = playerAt(view, seat);
  return html`<button
    class="target side-${side + 1}"
    aria-pressed=${play.typed['seat'] === seat}
    @click=${() => play.type({ seat, sure: null })}
  >
    <span class="name" translate="no"
      >${isEachForThemselves(view) ? '' : sideName(view, view.game.sides[side] ?? '')}</span
    >
    <span class="value is-word">${position(seat)}</span>
    <span class="small name" translate="no"
      >${sitting ? t('ui.seats.sits_here', { name: sitting }) : t('ui.seats.free')}</span
    >
  </button>`;
}

/**
 * @param {Play} play
 * @param {View} view
 */
function claimButton(play, view) {
  const seat = /** @type {string | undefined} */ (play.typed['seat']);
  const isNamed = nameOf(play).trim() !== '';
  const isReady = seat !== undefined && isNamed && play.outbox.parcels.length === 0;
  const sitting = sittingAt(play, view, seat);
  const isSure = !sitting || play.typed['sure'] === sitting;
  const claim = () => {
    if (!isSure) return play.type({ sure: sitting });
    play.claimSeat(seat === TABLET || seat === undefined ? null : seat, nameOf(play).trim(), sitting);
    if (play.panel) play.panel = 'menu';
  };
  const name = sitting ? personName(view, sitting) : '';
  return html`<button class="main" ?disabled=${!isReady} @click=${claim}>
    ${t(`ui.seats.${isNamed ? claimWords(view, seat, sitting, isSure) : 'name_first'}`, { seat: seat ?? '', name })}
  </button>`;
}

/**
 * @param {View} view
 * @param {string | undefined} seat
 * @param {string | null} sitting
 * @param {boolean} isSure
 */
function claimWords(view, seat, sitting, isSure) {
  if (!seat) return 'choose';
  if (seat === TABLET) return 'use_tablet';
  if (sitting) return isSure ? 'sure_do' : 'take_over';
  return isEachForThemselves(view) ? 'play_as' : 'sit';
}

/**
 * Somebody else whose seat this is.
 *
 * @param {Play} play
 * @param {View} view
 * @param {string | undefined} seat
 */
function sittingAt(play, view, seat) {
  const person = seat === undefined ? undefined : view.people.seats[seat];
  return person === undefined || person === play.store.state.person ? null : person;
}

/**
 * Taking over a seat takes it from somebody: that is said before.
 *
 * @param {Play} play
 * @param {View} view
 */
function sureNote(play, view) {
  const seat = /** @type {string | undefined} */ (play.typed['seat']);
  const sitting = sittingAt(play, view, seat);
  if (!sitting || play.typed['sure'] !== sitting) return nothing;
  return html`<p class="note strong" role="alert">${t('ui.seats.sure', { seat, name: personName(view, sitting) })}</p>`;
}
