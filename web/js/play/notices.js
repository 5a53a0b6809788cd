/**
 * What became of what was sent: the one place above the action, with one wording for each state.
 *
 * @import {Parcel} from '../core/outbox.js'
 * @import {Refusal} from '../core/types.js'
 * @import {View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { numberIn, removedHand, scoredHand } from '../core/hands.js';
import { layOver } from '../core/merge-entry.js';
import { personName, position, sideName } from '../core/names.js';
import { pastHand } from '../core/past.js';
import { has, t, timeOfDay } from '../core/words.js';
import { faceOf } from '../games/index.js';
import { forgetfulText } from '../parts/forgetful.js';
import { refusalText } from '../parts/refusal.js';

/**
 * @param {Play} play
 * @param {View} view
 */
export function noteStrip(play, view) {
  const { desk, outbox } = play;
  const overtaken = outbox.parcels.find((parcel) => parcel.state === 'overtaken');
  if (overtaken) return overtakenNote(play, view, overtaken);
  const outdated = desk.outdated(view);
  if (outdated) return changedUnderNote(play, view, outdated);
  if (desk.overtaken) return movedOnNote(play, view, desk.overtaken);
  if (play.closedBecause) return closedNote(play, play.closedBecause);
  const lost = play.entered.lost(view);
  if (lost && outbox.parcels.length === 0) return lostNote(play, view, lost);
  if (play.refused) return refusedNote(play, play.refused);
  if (play.ownSeat.lost) return seatNote(play, view, play.ownSeat.lost);
  const waiting = outbox.parcels.find((parcel) => parcel.state === 'waiting' && !parcel.wasSent) ?? outbox.parcels[0];
  if (waiting && play.store.state.link !== 'live') return status('waiting', t('ui.sent.waiting', about(view, waiting)));
  if (waiting && play.store.state.readonly) return status('waiting', t('ui.sent.readonly', about(view, waiting)));
  if (waiting && play.isSlow) return status('sent', t('ui.sent.sent', about(view, waiting)));
  if (play.landed) return status('landed', play.landed);
  return forgetful(play);
}

/**
 * Once: what is lost when this page is reloaded or closed.
 *
 * @param {Play} play
 */
export function forgetful(play) {
  const text = play.knowsWhatIsLost ? '' : forgetfulText();
  if (!text) return nothing;
  const known = () => {
    play.knowsWhatIsLost = true;
    play.store.touch();
  };
  return choice(text, [[t('ui.sent.all_right'), known]]);
}

/**
 * The same at the end of a panel, with the room that text has there.
 *
 * @param {Play} play
 * @param {View} view
 */
export function noteUnder(play, view) {
  const note = noteStrip(play, view);
  return note === nothing ? nothing : html`<div class="work under">${note}</div>`;
}

/**
 * @param {Play} play
 * @param {string} reason
 */
function closedNote(play, reason) {
  const leave = () => {
    play.closedBecause = null;
    play.store.touch();
  };
  return choice(reason, [[t('ui.sent.all_right'), leave]]);
}

/**
 * A hand that was in and is gone, or is another one now: the phone that entered it offers it again.
 *
 * @param {Play} play
 * @param {View} view
 * @param {import('./entered.js').EnteredHand} lost
 */
function lostNote(play, view, lost) {
  const { told } = faceOf(view.rules.key);
  const { entry } = lost;
  const recorded = scoredHand(view, lost.hand);
  const leave = () => {
    play.entered.forget(lost);
    play.store.touch();
  };
  if (!recorded) {
    const facts = { hand: view.in_play.hand, entry: told(entry) };
    const again = () => {
      play.desk.typeAgain(entry);
      play.desk.enter();
    };
    return choice(t('ui.sent.lost', facts), [[t('ui.sent.enter_again', facts), again]]);
  }
  const facts = { hand: recorded.number, entry: told(entry), recorded: told(recorded.entry) };
  return choice(t('ui.sent.lost_replaced', { ...facts, who: lastBy(view, recorded) }), [
    [t('ui.sent.leave_it', facts), leave],
    [
      t('ui.sent.correct_it', facts),
      () => {
        leave();
        play.desk.correct(recorded, entry);
        play.show(null);
      },
    ],
  ]);
}

/**
 * @param {View} view
 * @param {import('../protocol.js').HandView} hand
 */
function lastBy(view, { entered, corrections }) {
  return personName(view, (corrections.at(-1) ?? entered).by);
}

/**
 * @param {View} view
 * @param {Parcel} parcel
 */
function about(view, { command, number }) {
  const isOfThisGame = 'game' in command && command.game === view.game.number;
  const hand = isOfThisGame ? numberIn(view, command) : (number ?? numberIn(view, command));
  return {
    hand,
    what: has(`ui.commands.${command.type}`) ? t(`ui.commands.${command.type}`, { hand }) : t('ui.commands.other'),
  };
}

/**
 * @param {string} kind
 * @param {string} text
 */
function status(kind, text) {
  return html`<div class="note ${kind}" role="status"><p>${text}</p></div>`;
}

/**
 * @param {Play} play
 * @param {Refusal} refused
 */
function refusedNote(play, refused) {
  return html`<div class="note" role="alert">
    <p class="hurts">${refusalText(refused)}</p>
    <div class="chips"><button class="chip" @click=${() => play.dropRefusal()}>${t('ui.sent.all_right')}</button></div>
  </div>`;
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {{seat: string, person: string}} lost
 */
function seatNote(play, view, { seat, person }) {
  const leave = () => {
    play.ownSeat.lost = null;
    play.store.touch();
  };
  return choice(t('ui.seats.lost', { seat, name: personName(view, person) }), [[t('ui.sent.all_right'), leave]]);
}

/**
 * The command came too late: what is recorded stands beside what was typed.
 *
 * @param {Play} play
 * @param {View} view
 * @param {Parcel} parcel
 */
function overtakenNote(play, view, parcel) {
  const { command } = parcel;
  if (!parcel.byId && 'hand' in command) return leaveOnly(play, parcel, t('ui.sent.of_old_page', about(view, parcel)));
  const isOfThisGame = !('game' in command) || command.game === view.game.number;
  const typed = command.type === 'enter_hand' ? command.part : command.type === 'correct_hand' ? command.entry : null;
  if (!isOfThisGame) return leaveOnly(play, parcel, nextGameText(play, view, parcel, typed));
  const recorded = 'hand' in command ? scoredHand(view, command.hand) : undefined;
  if (recorded && typed) {
    const mine = command.type === 'correct_hand' ? typed : layOver(recorded.entry, typed);
    return recordedNote(play, view, recorded, mine, () => {
      play.outbox.dismiss(parcel);
      if (command.type === 'correct_hand') play.desk.corrected(command);
    });
  }
  if (command.type === 'note_hand') return notedNote(play, view, parcel);
  if (command.type === 'enter_hand') {
    if (command.hand !== view.in_play.id) return leaveOnly(play, parcel, whyNot(view, parcel));
    const look = () => {
      play.outbox.dismiss(parcel);
      play.desk.lookAgain();
    };
    const again = () => {
      look();
      play.desk.enter();
    };
    return choice(t('ui.sent.bids_changed', about(view, parcel)), [
      [t('ui.play.enter_hand', about(view, parcel)), again],
      [t('ui.sent.look_again'), look],
    ]);
  }
  return leaveOnly(play, parcel, whyNot(view, parcel));
}

/**
 * Why a command did not go in, and what its hand is now.
 *
 * @param {View} view
 * @param {Parcel} parcel
 */
function whyNot(view, parcel) {
  const { command } = parcel;
  const facts = about(view, parcel);
  const hand = 'hand' in command ? command.hand : 0;
  const [removed, recorded] = [removedHand(view, hand), scoredHand(view, hand)];
  if (removed) {
    return t('ui.sent.hand_removed', { ...facts, who: personName(view, removed.by), time: timeOfDay(removed.at) });
  }
  if (!recorded || command.type === 'end_game') return t('ui.sent.changed_meanwhile', facts);
  const now = { who: lastBy(view, recorded), recorded: faceOf(view.rules.key).told(recorded.entry) };
  return t('ui.sent.hand_changed', { ...facts, ...now });
}

/**
 * A hand of a game that is over is told beside the one that was recorded instead.
 *
 * @param {Play} play
 * @param {View} view
 * @param {Parcel} parcel
 * @param {import('../core/types.js').Entry | null} typed
 */
function nextGameText(play, view, parcel, typed) {
  const { command } = parcel;
  const at = { code: play.code, token: play.token() };
  const recorded =
    typed && 'hand' in command
      ? pastHand({ ...at, ...command, hand: parcel.number ?? command.hand }, () => play.store.touch())
      : null;
  if (!recorded || !typed) return t('ui.sent.next_game_began', about(view, parcel));
  const { told } = faceOf(recorded.game);
  const both = { recorded: told(recorded.hand), typed: told(layOver(recorded.hand, typed)) };
  return t('ui.sent.next_game_recorded', {
    ...about(view, parcel),
    ...both,
    who: recorded.by || t('ui.people.somebody'),
  });
}

/**
 * The hand changed under the form that corrects it: what is recorded now stands beside what is typed.
 *
 * @param {Play} play
 * @param {View} view
 * @param {import('./desk.js').Draft} draft
 */
function changedUnderNote(play, view, draft) {
  const leave = () => play.desk.drop();
  const recorded = draft.game === view.game.number ? scoredHand(view, draft.hand) : undefined;
  if (!recorded) return goneNote(play, view, draft, leave);
  const { told } = faceOf(view.rules.key);
  const facts = { who: lastBy(view, recorded), hand: recorded.number };
  const both = { was: told(draft.was), recorded: told(recorded.entry), typed: told(draft.part) };
  return choice(t('ui.sent.changed_under', { ...facts, ...both }), [
    [t('ui.sent.leave_it', facts), leave],
    [t('ui.sent.correct_it', facts), () => play.desk.lookAgain()],
  ]);
}

/**
 * The hand in play, for which something is typed here, was scored, dropped or removed meanwhile.
 *
 * @param {Play} play
 * @param {View} view
 * @param {import('./desk.js').Draft} draft
 */
function movedOnNote(play, view, draft) {
  const leave = () => play.desk.forgetOvertaken();
  const recorded = draft.game === view.game.number ? scoredHand(view, draft.hand) : undefined;
  return recorded
    ? recordedNote(play, view, recorded, layOver(recorded.entry, draft.part), leave)
    : goneNote(play, view, draft, leave);
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {import('./desk.js').Draft} draft
 * @param {() => void} leave
 */
function goneNote(play, view, draft, leave) {
  const facts = { hand: draft.number, typed: faceOf(view.rules.key).told(draft.part) };
  const allRight = /** @type {[string, () => void]} */ ([t('ui.sent.all_right'), leave]);
  if (draft.game !== view.game.number) return choice(t('ui.sent.game_began_under', facts), [allRight]);
  const removed = removedHand(view, draft.hand);
  if (removed) {
    const by = { who: personName(view, removed.by), time: timeOfDay(removed.at) };
    return choice(t('ui.sent.removed_under', { ...facts, ...by }), [allRight]);
  }
  if (draft.hand !== view.in_play.id) return choice(t('ui.sent.gone_under', facts), [allRight]);
  const use = () => {
    leave();
    play.desk.typeAgain(draft.part);
  };
  return choice(t('ui.sent.back_in_play', facts), [
    [t('ui.sent.leave_it'), leave],
    [t('ui.sent.use_mine'), use],
  ]);
}

/**
 * @param {Play} play
 * @param {View} view
 * @param {import('../protocol.js').HandView} recorded
 * @param {import('../core/types.js').Entry} mine  the whole hand
 * @param {() => void} leave
 */
function recordedNote(play, view, recorded, mine, leave) {
  const { told } = faceOf(view.rules.key);
  const facts = {
    who: lastBy(view, recorded),
    hand: recorded.number,
    recorded: told(recorded.entry),
    typed: told(mine),
  };
  return choice(t('ui.sent.recorded_already', facts), [
    [t('ui.sent.leave_it', facts), leave],
    [
      t('ui.sent.correct_it', facts),
      () => {
        leave();
        play.desk.correct(recorded, mine);
        play.show(null);
      },
    ],
  ]);
}

/**
 * Somebody else bid for the same seat or side.
 *
 * @param {Play} play
 * @param {View} view
 * @param {Parcel} parcel
 */
function notedNote(play, view, parcel) {
  const { command } = parcel;
  if (command.type !== 'note_hand' || command.hand !== view.in_play.id) {
    return leaveOnly(play, parcel, t('ui.sent.changed_meanwhile', about(view, parcel)));
  }
  const leave = () => {
    play.outbox.dismiss(parcel);
    play.desk.drop();
  };
  const again = () => {
    play.outbox.dismiss(parcel);
    const revision = play.store.state.position?.version ?? 0;
    play.outbox.submit({ ...command, revision });
  };
  const bids = Object.entries(/** @type {Record<string, unknown>} */ (command.part['bids'] ?? {}));
  const [name, mine] = bids.find(([, bid]) => bid !== null) ?? ['', ''];
  const now = /** @type {Record<string, unknown>} */ (view.in_play.entry['bids'] ?? {})[name];
  const by = view.in_play.noted_by[`bids.${name}`]?.by;
  if (now === undefined) return leaveOnly(play, parcel, t('ui.sent.changed_meanwhile', about(view, parcel)), leave);
  const side = view.game.sides.includes(name) ? sideName(view, name) : position(name);
  const facts = { who: personName(view, by ?? 'nobody'), side, recorded: bidWord(now), typed: bidWord(mine) };
  return choice(t('ui.sent.bid_already', facts), [
    [t('ui.sent.leave_bid', facts), leave],
    [t('ui.sent.change_bid', facts), again],
  ]);
}

/** @param {unknown} bid */
function bidWord(bid) {
  return has(`games.spades.${bid}`)?.toLowerCase() ?? String(bid);
}

/**
 * @param {Play} play
 * @param {Parcel} parcel
 * @param {string} text
 * @param {() => void} [leave]
 */
function leaveOnly(play, parcel, text, leave = () => play.outbox.dismiss(parcel)) {
  return choice(text, [[t('ui.sent.all_right'), leave]]);
}

/**
 * @param {string} text
 * @param {[string, () => void][]} answers
 */
function choice(text, answers) {
  return html`<div class="note" role="alert">
    <p class="strong">${text}</p>
    <div class="chips">
      ${answers.map(([label, answer]) => html`<button class="chip" @click=${answer}>${label}</button>`)}
    </div>
  </div>`;
}
