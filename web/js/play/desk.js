/**
 * The hand under somebody's fingers: what is typed and not yet recorded, where the next tap goes, what the server says
 * it would score. Nothing typed is lost to a reload, a dead spot or another phone.
 *
 * @import {Aim, HandForm} from '../games/index.js'
 * @import {AnyCommand, Entry} from '../core/types.js'
 * @import {FromServer, HandView, View} from '../protocol.js'
 * @import {Outbox, Parcel} from '../core/outbox.js'
 * @import {Store} from '../core/store.js'
 */

import { keep, recall } from '../core/keep.js';
import { joinParts, layOver, meets, notYetIn, saysTheSame } from '../core/merge-entry.js';
import { Question } from '../core/question.js';
import { scoredHand } from '../core/hands.js';
import { faceOf } from '../games/index.js';

/** @import {Refusal} from '../core/types.js' */
/**
 * @typedef {object} Draft
 * @property {number} game
 * @property {number} hand  its id
 * @property {number} number  by which people know it
 * @property {boolean} isCorrection
 * @property {Entry} was  the hand as it was recorded when this was opened, or typed into
 * @property {number} revision  the version of the table in which the hand was last seen so
 * @property {string} [reason]  why the host lets a check pass
 * @property {Entry} part  what is typed: a part over the hand in play, or a whole corrected hand
 */

/** @type {Aim} */
const NO_AIM = { step: null, target: null };

export class Desk {
  /** @type {Draft | null} */
  draft;
  /** What was typed for a hand in play that is not in play any more. @type {Draft | null} */
  overtaken;
  /** @type {Refusal | null} */
  refused = null;
  /** The version of the table that was drawn last: what whoever taps has seen. */
  seen = 0;
  #question;
  #aim = NO_AIM;

  /**
   * @param {object} surroundings
   * @param {string} surroundings.table
   * @param {Store} surroundings.store
   * @param {Outbox} surroundings.outbox
   * @param {(message: import('../protocol.js').FromClient) => boolean} surroundings.send
   */
  constructor({ table, store, outbox, send }) {
    this.table = table;
    this.store = store;
    this.outbox = outbox;
    this.#question = new Question(send, () => store.touch());
    this.draft = withIds(recall('draft', table));
    this.overtaken = recall('overtaken', table);
  }

  /**
   * Bring the draft up to the board; called before every drawing.
   *
   * @param {View} view
   */
  follow(view) {
    this.seen = this.store.state.position?.version ?? 0;
    const { draft } = this;
    const { number: game } = view.game;
    const isInPlay = draft?.game === game && draft.hand === view.in_play.id;
    if (!draft) this.#start(view);
    else if (draft.isCorrection) this.#followCorrection(view, draft);
    else if (!isInPlay) this.#handMovedOn(view, draft);
    else {
      draft.part = notYetIn(draft.part, view.in_play.entry);
      draft.number = view.in_play.hand;
      if (!this.isContested(view)) this.#lookAt(draft, view.in_play.entry);
    }
    this.#dropOldNotes(view);
    this.#ask(view);
  }

  /**
   * @param {View} view
   * @param {Draft} draft
   */
  #followCorrection(view, draft) {
    const hand = draft.game === view.game.number ? scoredHand(view, draft.hand) : undefined;
    if (!hand) return;
    draft.number = hand.number;
    if (saysTheSame(hand.entry, draft.was) || saysTheSame(hand.entry, draft.part)) this.#lookAt(draft, hand.entry);
  }

  /**
   * @param {Draft} draft
   * @param {Entry} recorded
   */
  #lookAt(draft, recorded) {
    draft.was = recorded;
    draft.revision = this.seen;
  }

  /**
   * Whether somebody has recorded something else since where this phone has typed.
   *
   * @param {View} view
   */
  isContested(view) {
    const { draft } = this;
    if (!draft || draft.isCorrection) return false;
    const { entry } = view.in_play;
    return meets(draft.part, notYetIn(entry, draft.was)) || meets(draft.part, notYetIn(draft.was, entry));
  }

  /** Whoever types has been told what changed, and goes on. */
  lookAgain() {
    const { view } = this.store.state;
    if (view && this.draft) this.#lookAt(this.draft, this.#recorded(view, this.draft));
    this.#save();
    this.store.touch();
  }

  /**
   * @param {View} view
   * @param {Draft} draft
   */
  #recorded(view, draft) {
    return draft.isCorrection ? (scoredHand(view, draft.hand)?.entry ?? draft.was) : view.in_play.entry;
  }

  /**
   * A correction whose hand is not any more what it was opened on.
   *
   * @param {View} view
   * @returns {Draft | null}
   */
  outdated(view) {
    const { draft } = this;
    if (!draft?.isCorrection) return null;
    const hand = draft.game === view.game.number ? scoredHand(view, draft.hand) : undefined;
    return hand && saysTheSame(hand.entry, draft.was) ? null : draft;
  }

  /**
   * A bid that came too late for a hand that is in: the notice about the hand tells it with the rest.
   *
   * @param {View} view
   */
  #dropOldNotes({ game, in_play }) {
    const isOld = (/** @type {Parcel} */ { command, state }) =>
      state === 'overtaken' &&
      command.type === 'note_hand' &&
      command.game === game.number &&
      command.hand !== in_play.id;
    this.outbox.parcels.filter(isOld).forEach((parcel) => this.outbox.dismiss(parcel));
  }

  /**
   * @param {View} view
   * @param {Draft} draft
   */
  #handMovedOn(view, draft) {
    const recorded = draft.game === view.game.number ? scoredHand(view, draft.hand) : undefined;
    const isMine = this.outbox.parcels.some(
      ({ command }) => command.type === 'enter_hand' && command.game === draft.game && command.hand === draft.hand,
    );
    if (!isMine && Object.keys(notYetIn(draft.part, recorded?.entry ?? {})).length) this.#setOvertaken(draft);
    this.#start(view);
  }

  /** @param {Draft | null} draft */
  #setOvertaken(draft) {
    this.overtaken = draft;
    keep('overtaken', draft, this.table);
  }

  /** Whoever typed for a hand that moved on has read what became of it. */
  forgetOvertaken() {
    this.#setOvertaken(null);
    this.store.touch();
  }

  /**
   * The hand in play, with this typed over it.
   *
   * @param {View} view
   * @param {Entry} [part]
   */
  #start({ game, in_play }, part = {}) {
    const { id: hand, hand: number, entry: was } = in_play;
    this.#open({ game: game.number, hand, number, isCorrection: false, was, revision: this.seen, part });
  }

  /** @param {Draft} draft */
  #open(draft) {
    this.draft = draft;
    this.#aim = NO_AIM;
    this.refused = null;
    this.#save();
  }

  /**
   * The form of the hand at hand, for the game's own templates.
   *
   * @param {View} view
   * @returns {HandForm}
   */
  form(view) {
    const { person, role } = this.store.state;
    if (!this.draft) this.#start(view);
    const draft = /** @type {Draft} */ (this.draft);
    return {
      view,
      hand: draft.number,
      entry: draft.isCorrection ? draft.part : layOver(view.in_play.entry, draft.part),
      isCorrection: draft.isCorrection,
      isHost: role === 'host',
      mySeat: Object.keys(view.people.seats).find((seat) => view.people.seats[seat] === person) ?? null,
      aim: this.#aim,
      preview: this.#question.result,
      refused: this.refused ?? this.#question.refused,
      reason: draft.reason ?? '',
      setReason: (reason) => this.#setReason(reason),
      lay: (part, aim) => this.#lay(view, part, aim),
      aimAt: (aim) => this.#aimAt(aim),
    };
  }

  /** @param {string} reason */
  #setReason(reason) {
    if (this.draft) this.draft.reason = reason;
    this.#save();
    this.store.touch();
  }

  /** @param {Partial<Aim>} aim */
  #aimAt(aim) {
    this.#aim = { ...this.#aim, ...aim };
    this.store.touch();
  }

  /**
   * @param {View} view
   * @param {Entry} part
   * @param {Partial<Aim>} [aim]
   */
  #lay(view, part, aim = {}) {
    const { draft } = this;
    if (!draft) return;
    this.refused = null;
    const { form } = faceOf(view.rules.key);
    draft.part = draft.isCorrection ? layOver(draft.part, part) : joinParts(draft.part, part);
    if (!draft.isCorrection && form?.isNotedAtOnce(part)) {
      // All that is typed and not yet in goes along: a bid refused beside its partner's old one stands beside the new.
      const noted = Object.entries(draft.part).filter(([member, value]) => form.isNotedAtOnce({ [member]: value }));
      this.outbox.withdraw(({ type }) => type === 'note_hand');
      this.outbox.submit(
        { type: 'note_hand', ...this.#handAt(draft), part: Object.fromEntries(noted) },
        { number: draft.number },
      );
    }
    this.#save();
    this.#aimAt(aim);
  }

  /** @param {Draft} draft */
  #handAt({ game, hand, revision, reason }) {
    return { game, hand, revision, ...(reason ? { reason } : {}) };
  }

  /** @returns {AnyCommand | null} */
  #command() {
    const { draft } = this;
    if (!draft) return null;
    const at = this.#handAt(draft);
    return draft.isCorrection
      ? { type: 'correct_hand', ...at, entry: draft.part }
      : { type: 'enter_hand', ...at, part: draft.part };
  }

  /** Enter the hand, or its correction. */
  enter() {
    const command = this.#command();
    if (!command) return;
    this.refused = null;
    const { draft } = this;
    const { view } = this.store.state;
    if (!draft || !view) return;
    this.outbox.withdraw(({ type }) => type === 'note_hand');
    const entry = draft.isCorrection ? draft.part : layOver(view.in_play.entry, draft.part);
    this.outbox.submit(command, { number: draft.number, entry });
  }

  /**
   * Type a whole hand at once: one that was entered here before.
   *
   * @param {Entry} entry
   */
  typeAgain(entry) {
    const { view } = this.store.state;
    if (view) this.#start(view, entry);
    this.store.touch();
  }

  /**
   * @param {HandView} hand
   * @param {Entry} [part]  what the form holds to begin with
   */
  correct(hand, part = hand.entry) {
    const game = this.store.state.view?.game.number ?? 0;
    const { id, number, entry } = hand;
    const at = { game, hand: id, number, isCorrection: true, was: entry, revision: this.seen };
    this.#open({ ...at, part });
    this.store.touch();
  }

  /**
   * A correction is in: its form is done with.
   *
   * @param {{game: number, hand: number}} command
   */
  corrected({ game, hand }) {
    if (this.draft?.isCorrection && this.draft.game === game && this.draft.hand === hand) this.drop();
  }

  /** Leave a correction, or let what was typed go. */
  drop() {
    this.draft = null;
    this.refused = null;
    keep('draft', null, this.table);
    this.store.touch();
  }

  /** @param {FromServer} message */
  receive(message) {
    this.#question.receive(message);
  }

  /**
   * Ask the server what the hand would score, once for each state of it.
   *
   * @param {View} view
   */
  #ask(view) {
    const form = this.form(view);
    const command = this.#command();
    if (!command || view.game.phase === 'waiting' || !faceOf(view.rules.key).form?.isReady(form)) {
      this.#question.forget();
      return;
    }
    const key = JSON.stringify([form.hand, form.entry, this.store.state.position]);
    if (this.store.state.link === 'live') this.#question.ask(key, command);
  }

  #save() {
    const isWorthKeeping = this.draft && (this.draft.isCorrection || Object.keys(this.draft.part).length > 0);
    keep('draft', isWorthKeeping ? this.draft : null, this.table);
  }
}

/**
 * A draft that an earlier page kept named its hand by its number alone.
 *
 * @param {Draft | null} draft
 */
function withIds(draft) {
  return draft?.was ? draft : null;
}
