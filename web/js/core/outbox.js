/**
 * Commands on their way, one after another. One that cannot be sent waits, also through a reload, and goes out again
 * with the same id, so the server never does it twice. Each is kept by itself: another tab's are left alone, and whoever
 * loads them sends them too.
 *
 * @import {AnyCommand, Entry} from './types.js'
 * @import {Done, FromClient, FromServer, Refused} from '../protocol.js'
 */

import { keep, keptUnder, recall } from './keep.js';
import { isWithin } from './merge-entry.js';
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
 * @property {number} epoch  in which `command.revision` counts
 * @property {true} byId  `command.hand` is the hand's id; an earlier page sent its number
 * @property {number} [number]  by which people knew the hand
 * @property {Entry} [entry]  the whole hand that this enters, or corrects it to
 *
 * @typedef {{command: AnyCommand, revision: number, version: number}} Landed  made at `revision`, recorded as `version`
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
  /** What landed in this epoch, by cmd. @type {Map<string, Landed>} */
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

  /**
   * @param {AnyCommand} command
   * @param {{number?: number, entry?: Entry}} [about]  to tell people of it
   * @returns {Parcel}
   */
  submit(command, about = {}) {
    const at = Math.max(Date.now(), (this.parcels.at(-1)?.at ?? 0) + 1);
    const after = [...this.#landed.keys(), ...this.parcels.map(({ cmd }) => cmd)];
    /** @type {Parcel} */
    const parcel = {
      cmd: newId(),
      command,
      state: 'waiting',
      wasSent: false,
      at,
      after,
      epoch: this.#epoch,
      byId: true,
      ...about,
    };
    this.parcels = [...this.parcels, parcel];
    this.#keep(parcel);
    this.#pump();
    return parcel;
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
    if (message.type === 'rewound' || message.type === 'snapshot') this.#begin(message.epoch);
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
    this.#begin(epoch);
    this.lineLost();
    this.#pump();
  }

  /** @param {number} epoch */
  #begin(epoch) {
    if (epoch !== this.#epoch) this.#landed.clear();
    this.#epoch = epoch;
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
    if ('revision' in command && typeof command.revision === 'number') {
      // Versions of another epoch say nothing: whatever is recorded there is shown beside this first.
      const isOfNow = !parcel.epoch || parcel.epoch === this.#epoch;
      const revision = isOfNow ? this.#revisionOf(parcel) : 0;
      parcel.command = { ...command, revision };
      parcel.epoch = this.#epoch;
    }
    if (!this.#send({ type: 'do', cmd: parcel.cmd, command: parcel.command })) return;
    parcel.state = 'sent';
    parcel.wasSent = true;
    this.#keep(parcel);
  }

  /**
   * What whoever made this changed before is no surprise to them. What others, or another tab, did in between may be one.
   *
   * @param {Parcel} parcel
   * @returns {number}
   */
  #revisionOf({ command, wasSent, after }) {
    const made = revisionIn(command);
    if (wasSent) return made;
    const known = after.flatMap((cmd) => this.#landed.get(cmd) ?? []);
    return known.reduce((revision, landed) => {
      const isNext = landed.version === revision + 1;
      const guarded = landed.revision <= revision && coversWhatItTouches(landed.command, command);
      return isNext || guarded ? Math.max(revision, landed.version) : revision;
    }, made);
  }

  /** @param {Done} done */
  #done(done) {
    const parcel = this.#find(done.cmd);
    if (!parcel) return;
    this.#retryMs = FIRST_RETRY_MS;
    const { command } = parcel;
    this.#landed.set(done.cmd, { command, revision: revisionIn(command), version: done.version });
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

/** @param {AnyCommand} command */
function revisionIn(command) {
  return 'revision' in command ? (command.revision ?? 0) : 0;
}

/**
 * Whether nobody else can have changed what the later command touches between the earlier one's revision and its
 * landing: the server has looked at the same parts for it.
 *
 * @param {AnyCommand} earlier
 * @param {AnyCommand} later
 */
function coversWhatItTouches(earlier, later) {
  if (!('hand' in earlier && 'hand' in later) || earlier.hand !== later.hand || earlier.game !== later.game)
    return false;
  if (earlier.type === 'note_hand') return later.type === 'note_hand' && isWithin(later.part, earlier.part);
  const scores = earlier.type === 'enter_hand' || earlier.type === 'correct_hand';
  return scores && ['correct_hand', 'take_back_hand', 'remove_hand'].includes(later.type);
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
    if ('hand' in parcel.command && !parcel.byId) parcel.state = 'overtaken';
    if (parcel.at !== undefined) return;
    Object.assign(parcel, { at: number, after: [] });
    keep('pending', parcel, `${table}.${parcel.cmd}`);
  });
  return parcels.sort((one, other) => one.at - other.at);
}
