/**
 * Commands on their way, one after another. One that cannot be sent waits, also through a reload, and goes out again
 * with the same id, so the server never does it twice. Each is kept by itself: another tab's are left alone, and whoever
 * loads them sends them too.
 *
 * @import {AnyCommand} from './types.js'
 * @import {Done, FromClient, FromServer, Refused} from '../protocol.js'
 */

import { keep, keptUnder, recall } from './keep.js';
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
 * @property {number} at  for their order, in every tab
 * @property {string[]} after  the commands that whoever made this one knew of
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
  /** The versions of what landed in this epoch, by cmd. @type {Map<string, number>} */
  #landed = new Map();

  /**
   * @param {string} table
   * @param {Listeners} listeners
   */
  constructor(table, listeners) {
    this.#table = table;
    this.#listeners = listeners;
    this.parcels = keptParcels(table);
  }

  /** @param {(message: FromClient) => boolean} send */
  sendWith(send) {
    this.#send = send;
  }

  /** @param {AnyCommand} command */
  submit(command) {
    const at = Math.max(Date.now(), (this.parcels.at(-1)?.at ?? 0) + 1);
    const after = [...this.#landed.keys(), ...this.parcels.map(({ cmd }) => cmd)];
    /** @type {Parcel} */
    const parcel = { cmd: newId(), command, state: 'waiting', wasSent: false, at, after };
    this.parcels = [...this.parcels, parcel];
    this.#keep(parcel);
    this.#pump();
  }

  /** @param {Parcel} parcel */
  dismiss(parcel) {
    this.#drop(parcel);
    this.#listeners.changed();
  }

  /**
   * Take back what never left this phone.
   *
   * @param {(command: AnyCommand) => boolean} matches
   */
  withdraw(matches) {
    this.parcels.filter(({ wasSent, command }) => !wasSent && matches(command)).forEach((parcel) => this.#drop(parcel));
    this.#listeners.changed();
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
    this.#listeners.changed();
  }

  /** @param {number} epoch */
  #welcome(epoch) {
    if (epoch !== this.#epoch) this.#landed.clear();
    this.#epoch = epoch;
    this.lineLost();
    this.#pump();
  }

  // One at a time: each is made for a board on which the one before has landed.
  #pump() {
    clearTimeout(this.#retryTimer);
    const next = this.parcels.find((parcel) => parcel.state === 'waiting');
    if (next && !this.parcels.some((parcel) => parcel.state === 'sent')) this.#post(next);
    this.#listeners.changed();
  }

  /** @param {Parcel} parcel */
  #post(parcel) {
    const { command } = parcel;
    if (!parcel.wasSent && 'revision' in command && typeof command.revision === 'number') {
      // What whoever made this changed before is no surprise to them; what another tab did since may be one.
      const known = parcel.after.map((cmd) => this.#landed.get(cmd) ?? 0);
      parcel.command = { ...command, revision: Math.max(command.revision, ...known) };
    }
    if (!this.#send({ type: 'do', cmd: parcel.cmd, command: parcel.command })) return;
    parcel.state = 'sent';
    parcel.wasSent = true;
    this.#keep(parcel);
  }

  /** @param {Done} done */
  #done(done) {
    const parcel = this.#find(done.cmd);
    if (!parcel) return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#landed.set(done.cmd, done.version);
    this.#drop(parcel);
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
      this.#keep(parcel);
    } else if (answer.retry) {
      parcel.state = 'waiting';
      this.#retryLater();
      this.#listeners.changed();
      return;
    } else {
      this.#drop(parcel);
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

  /** @param {Parcel} parcel */
  #keep(parcel) {
    keep('pending', parcel, `${this.#table}.${parcel.cmd}`);
  }

  /** @param {Parcel} parcel */
  #drop(parcel) {
    this.parcels = this.parcels.filter((each) => each !== parcel);
    keep('pending', null, `${this.#table}.${parcel.cmd}`);
  }
}

/**
 * @param {string} table
 * @returns {Parcel[]}
 */
function keptParcels(table) {
  /** @type {Parcel[]} */
  const parcels = keptUnder('pending', table).flatMap((each) => recall('pending', each) ?? []);
  // An earlier page kept them all in one list, in their order.
  keep('pending', null, table);
  parcels.forEach((parcel, number) => {
    if (parcel.state === 'sent') parcel.state = 'waiting';
    if (parcel.at !== undefined) return;
    Object.assign(parcel, { at: number, after: [] });
    keep('pending', parcel, `${table}.${parcel.cmd}`);
  });
  return parcels.sort((one, other) => one.at - other.at);
}
