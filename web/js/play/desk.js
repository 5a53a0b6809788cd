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
import { joinParts, layOver, notYetIn } from '../core/lay.js';
import { Question } from '../core/question.js';
import { numberOf, scoredHand } from '../core/hands.js';
import { handsGone } from '../core/store.js';
import { faceOf } from '../games/index.js';

/** @import {Refusal} from '../core/question.js' */
/**
 * @typedef {object} Draft
 * @property {number} game
 * @property {number} hand  its id
 * @property {boolean} isCorrection
 * @property {string} [reason]  why the host lets a check pass
 * @property {Entry} part  what is typed: a part over the hand in play, or a whole corrected hand
 *
 * @typedef {object} Overtaken  somebody recorded the hand while this was being typed
 * @property {Draft} draft
 * @property {HandView} recorded
 */

/** How many of the hands entered here are kept whole, to be offered again should the store lose them. */
const MOST_KEPT = 8;

/** @type {Aim} */
const NO_AIM = { step: null, target: null };

export class Desk {
  /** @type {Draft | null} */
  draft;
  /** @type {Overtaken | null} */
  overtaken = null;
  /** @type {Refusal | null} */
  refused = null;
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
    this.draft = /** @type {Draft | null} */ (recall('draft', table));
  }

  /**
   * Bring the draft up to the board; called before every drawing.
   *
   * @param {View} view
   */
  follow(view) {
    const { draft } = this;
    const { number: game } = view.game;
    const { id: hand, entry } = view.in_play;
    if (!draft || draft.game !== game) this.#start({ game, hand, isCorrection: false, part: {} });
    else if (draft.isCorrection) {
      if (!scoredHand(view, draft.hand)) this.#start({ game, hand, isCorrection: false, part: {} });
    } else if (draft.hand !== hand) this.#handMovedOn(view, draft);
    else draft.part = notYetIn(draft.part, entry);
    this.#dropOldNotes(view);
    this.#ask(view);
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
    const recorded = scoredHand(view, draft.hand);
    const isMine = this.outbox.parcels.some(
      ({ command }) => command.type === 'enter_hand' && command.hand === draft.hand,
    );
    if (recorded && !isMine && Object.keys(notYetIn(draft.part, recorded.entry)).length) {
      this.overtaken = { draft, recorded };
    }
    this.#start({ game: view.game.number, hand: view.in_play.id, isCorrection: false, part: {} });
  }

  /** @param {Draft} draft */
  #start(draft) {
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
    /** @type {Draft} */
    const draft = this.draft ?? { game: 0, hand: 0, isCorrection: false, part: {} };
    return {
      view,
      hand: numberOf(view, draft.hand),
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
      this.outbox.submit({ type: 'note_hand', ...this.#handAt(draft), part: Object.fromEntries(noted) });
    }
    this.#save();
    this.#aimAt(aim);
  }

  /** @param {Draft} draft */
  #handAt({ game, hand, reason }) {
    return { game, hand, revision: this.store.state.position?.version ?? 0, ...(reason ? { reason } : {}) };
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
    this.outbox.withdraw(({ type }) => type === 'note_hand');
    if (!draft) return;
    this.#keepEntered(draft);
    this.outbox.submit(command);
  }

  /** @param {Draft} draft */
  #keepEntered({ game, hand, part, isCorrection }) {
    const { view } = this.store.state;
    if (!view) return;
    const entry = isCorrection ? part : layOver(view.in_play.entry, part);
    const others = this.#entered().filter((each) => each.game !== game || each.hand !== hand);
    keep('entered', [...others, { game, hand, entry }].slice(-MOST_KEPT), this.table);
  }

  /** @returns {{game: number, hand: number, entry: Entry}[]} */
  #entered() {
    return recall('entered', this.table) ?? [];
  }

  /**
   * The hand in play, if it was in before, is gone, and was entered here.
   *
   * @param {View} view
   * @returns {Entry | null}
   */
  lostHand(view) {
    const { hand, id } = view.in_play;
    if (!handsGone(this.store.state).includes(hand)) return null;
    return this.#entered().find((each) => each.game === view.game.number && each.hand === id)?.entry ?? null;
  }

  /**
   * Type a whole hand at once: one that was entered here before.
   *
   * @param {Entry} entry
   */
  typeAgain(entry) {
    if (this.draft) this.draft.part = entry;
    this.#save();
    this.#aimAt(NO_AIM);
  }

  /**
   * @param {HandView} hand
   * @param {Entry} [typed]  laid over it to begin with
   */
  correct(hand, typed = {}) {
    const game = this.store.state.view?.game.number ?? 0;
    this.overtaken = null;
    this.#start({ game, hand: hand.id, isCorrection: true, part: layOver(hand.entry, typed) });
    this.store.touch();
  }

  /** Leave a correction, or let what was typed go. */
  drop() {
    this.draft = null;
    this.overtaken = null;
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
