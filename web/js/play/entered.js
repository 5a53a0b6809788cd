/**
 * The hands that this phone was told are in. Should the store lose them, they are found missing here, whether or not the
 * server knows that it went back: whatever a board does not show any more is asked after by its cmd.
 *
 * @import {Entry} from '../core/types.js'
 * @import {Parcel} from '../core/outbox.js'
 * @import {FromClient, FromServer, View} from '../protocol.js'
 */

import { scoredHand } from '../core/hands.js';
import { keep, recall } from '../core/keep.js';
import { saysTheSame } from '../core/merge-entry.js';

/**
 * @typedef {object} EnteredHand
 * @property {string} cmd
 * @property {number} game
 * @property {number} hand  its id
 * @property {number} number
 * @property {Entry} entry
 * @property {boolean} [isLost]  the log does not know of it
 */

/** As many as a message may ask after. */
const MAX_KEPT = 16;

export class Entered {
  /** @type {EnteredHand[]} */
  hands;
  #table;
  #send;

  /**
   * @param {string} table
   * @param {(message: FromClient) => boolean} send
   */
  constructor(table, send) {
    this.#table = table;
    this.#send = send;
    /** @type {EnteredHand[]} */
    const kept = recall('entered', table) ?? [];
    this.hands = kept.filter(({ cmd }) => cmd);
  }

  /**
   * A command of this phone is in the log.
   *
   * @param {Parcel} parcel
   */
  landed({ cmd, command, entry, number }) {
    if (!('hand' in command) || !entry) return;
    const { game, hand } = command;
    const others = this.hands.filter((each) => each.game !== game || each.hand !== hand);
    this.#keep([...others, { cmd, game, hand, number: number ?? hand, entry }].slice(-MAX_KEPT));
  }

  /**
   * @param {FromServer} message
   * @param {View | null} view
   */
  receive(message, view) {
    if (message.type === 'snapshot') this.#askAfterMissing(message.state);
    if (message.type === 'checked') {
      const isMissing = ({ cmd = '' }) => message.missing.includes(cmd);
      const isOther = ({ cmd = '' }) => !message.cmds.includes(cmd);
      // What the log has and the board does not show, somebody has changed since.
      const still = this.hands.filter((each) => isOther(each) || isMissing(each));
      this.#keep(still.map((each) => (isMissing(each) ? { ...each, isLost: true } : each)));
    }
    if (message.type === 'event' && view) this.#dropFound(view);
  }

  /** @param {View} view */
  #askAfterMissing(view) {
    const ofGame = this.hands.filter(({ game }) => game >= view.game.number);
    const cmds = ofGame.filter((each) => !isShown(view, each)).map(({ cmd }) => cmd);
    if (cmds.length) this.#send({ type: 'check', cmds });
  }

  /** @param {View} view */
  #dropFound(view) {
    if (!this.hands.some(({ isLost }) => isLost)) return;
    this.#keep(this.hands.filter((each) => !each.isLost || !isShown(view, each)));
  }

  /**
   * The first hand that was lost and can be put right now: it is in play again, or another one stands in its place.
   *
   * @param {View} view
   * @returns {EnteredHand | null}
   */
  lost(view) {
    const isDue = (/** @type {EnteredHand} */ { game, hand, isLost }) =>
      isLost && game === view.game.number && (hand === view.in_play.id || scoredHand(view, hand) !== undefined);
    return this.hands.filter(isDue).sort((one, other) => one.hand - other.hand)[0] ?? null;
  }

  /** @param {EnteredHand} hand */
  forget(hand) {
    this.#keep(this.hands.filter((each) => each !== hand));
  }

  /** @param {EnteredHand[]} hands */
  #keep(hands) {
    this.hands = hands;
    keep('entered', hands.length ? hands : null, this.#table);
  }
}

/**
 * Whether a board shows the hand as it was entered here, or says what it was changed from.
 *
 * @param {View} view
 * @param {EnteredHand} entered
 */
function isShown(view, { game, hand, entry }) {
  if (game !== view.game.number) return false;
  const recorded = scoredHand(view, hand);
  const entries = recorded ? [recorded.entry, ...recorded.corrections.map(({ before }) => before)] : [];
  return entries.some((each) => saysTheSame(each, entry));
}
