/**
 * Commands on their way, one after another. One that cannot be sent waits, also through a reload, and goes out again
 * with the same id, so the server never does it twice.
 *
 * @import {AnyCommand} from './types.js'
 * @import {Done, FromClient, FromServer, Refused} from '../protocol.js'
 */

import { keep, recall } from './keep.js';
import { newId } from './secret.js';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 20_000;

/**
 * @typedef {object} Parcel
 * @property {string} cmd
 * @property {AnyCommand} command
 * @property {'waiting' | 'sent' | 'overtaken'} state
 * @property {boolean} wasSent  it may have arrived: it must not change any more
 * @property {Refused} [answer]  while overtaken
 *
 * @typedef {object} Listeners
 * @property {() => void} changed
 * @property {(parcel: Parcel, done: Done) => void} done
 * @property {(parcel: Parcel, answer: Refused) => void} refused
 */

export class Outbox {
  /** @type {Parcel[]} */
  parcels;
  #table;
  #listeners;
  /** @type {(message: FromClient) => boolean} */
  #send = () => false;
  #retryTimer = 0;
  #retryMs = FIRST_RETRY_MS;
  #epoch = 0;
  #newestOfMine = 0;

  /**
   * @param {string} table
   * @param {Listeners} listeners
   */
  constructor(table, listeners) {
    this.#table = table;
    this.#listeners = listeners;
    this.parcels = /** @type {Parcel[] | null} */ (recall('pending', table)) ?? [];
    for (const parcel of this.parcels) if (parcel.state === 'sent') parcel.state = 'waiting';
  }

  /** @param {(message: FromClient) => boolean} send */
  sendWith(send) {
    this.#send = send;
  }

  /** @param {AnyCommand} command */
  submit(command) {
    this.parcels = [...this.parcels, { cmd: newId(), command, state: 'waiting', wasSent: false }];
    this.#pump();
  }

  /** @param {Parcel} parcel */
  dismiss(parcel) {
    this.parcels = this.parcels.filter((each) => each !== parcel);
    this.#changed();
  }

  /**
   * Take back what never left this phone.
   *
   * @param {(command: AnyCommand) => boolean} matches
   */
  withdraw(matches) {
    this.parcels = this.parcels.filter((parcel) => parcel.wasSent || !matches(parcel.command));
    this.#changed();
  }

  /** @param {FromServer} message */
  receive(message) {
    if (message.type === 'welcome') this.#welcome(message.epoch);
    else if (message.type === 'status' && message.store === 'ok') this.#pump();
    else if (message.type === 'done') this.#done(message);
    else if (message.type === 'refused') this.#refused(message);
  }

  /** The line is down: nothing that was sent is known to have arrived. */
  lineLost() {
    if (!this.parcels.some((parcel) => parcel.state === 'sent')) return;
    for (const parcel of this.parcels) if (parcel.state === 'sent') parcel.state = 'waiting';
    this.#changed();
  }

  /** @param {number} epoch */
  #welcome(epoch) {
    if (epoch !== this.#epoch) this.#newestOfMine = 0;
    this.#epoch = epoch;
    this.lineLost();
    this.#pump();
  }

  // One at a time: each is made for a board on which the one before has landed.
  #pump() {
    clearTimeout(this.#retryTimer);
    const next = this.parcels.find((parcel) => parcel.state === 'waiting');
    if (next && !this.parcels.some((parcel) => parcel.state === 'sent')) this.#post(next);
    this.#changed();
  }

  /** @param {Parcel} parcel */
  #post(parcel) {
    const { command } = parcel;
    if (!parcel.wasSent && 'revision' in command) {
      // What this phone changed itself since is no surprise to whoever holds it.
      parcel.command = { ...command, revision: Math.max(command.revision, this.#newestOfMine) };
    }
    if (!this.#send({ type: 'do', cmd: parcel.cmd, command: parcel.command })) return;
    parcel.state = 'sent';
    parcel.wasSent = true;
  }

  /** @param {Done} done */
  #done(done) {
    const parcel = this.#find(done.cmd);
    if (!parcel) return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#newestOfMine = Math.max(this.#newestOfMine, done.version);
    this.parcels = this.parcels.filter((each) => each !== parcel);
    this.#listeners.done(parcel, done);
    this.#pump();
  }

  /** @param {Refused} answer */
  #refused(answer) {
    const parcel = this.#find(answer.cmd);
    if (!parcel) return;
    if (answer.code === 'conflict') {
      parcel.state = 'overtaken';
      parcel.answer = answer;
    } else if (answer.retry) {
      parcel.state = 'waiting';
      this.#retryLater();
      this.#changed();
      return;
    } else {
      this.parcels = this.parcels.filter((each) => each !== parcel);
      this.#listeners.refused(parcel, answer);
    }
    this.#pump();
  }

  #retryLater() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#pump(), this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
  }

  /** @param {string} cmd */
  #find(cmd) {
    return this.parcels.find((parcel) => parcel.cmd === cmd);
  }

  #changed() {
    keep('pending', this.parcels.length ? this.parcels : null, this.#table);
    this.#listeners.changed();
  }
}
