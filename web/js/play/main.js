/**
 * The phone at the table: enters bids and hands, and runs the game for the host.
 *
 * @import {AnyCommand, Refusal} from '../core/types.js'
 * @import {Done, FromServer, Refused} from '../protocol.js'
 * @import {Parcel} from '../core/outbox.js'
 */

import { keepAwake } from '../core/awake.js';
import { becomeKnown, codeInAddress, invitationTo, Keyring, takeInvitation, tidyPhrase } from '../core/identity.js';
import { numberIn } from '../core/hands.js';
import { keep, recall } from '../core/keep.js';
import { personName } from '../core/names.js';
import { Outbox } from '../core/outbox.js';
import { openTablePage } from '../core/page.js';
import { Question } from '../core/question.js';
import { newSecret } from '../core/secret.js';
import { Store } from '../core/store.js';
import { rememberTable } from '../core/tables.js';
import { has, t, timeOfDay } from '../core/words.js';
import { Shelf } from '../parts/rules-shelf.js';
import { Desk } from './desk.js';
import { Entered } from './entered.js';
import { draw } from './draw.js';
import { focusFollower, listenToKeys, markPanelInHistory } from './keys.js';
import { OwnSeat } from './own-seat.js';
import { PutBack } from './put-back.js';

/** @typedef {'sheet' | 'menu' | 'undo' | 'remove' | 'seats' | 'names' | 'rules' | 'book' | 'records' | 'invite' | 'privacy' | 'people' | 'handover' | 'end' | 'put_back' | null} Panel */

const LANDED_MS = 6_000;
const SLOW_MS = 400;

export class Play {
  code = codeInAddress();
  store = new Store();
  outbox = new Outbox(this.code, {
    changed: () => this.#outboxChanged(),
    done: (parcel, done) => this.#done(parcel, done),
    refused: (parcel, answer) => this.#refused(parcel, answer),
  });
  /** @type {(message: import('../protocol.js').FromClient) => boolean} */
  send = () => false;
  /** @type {() => void} */
  reconnect = () => {};
  desk = new Desk({ table: this.code, store: this.store, outbox: this.outbox, send: (message) => this.send(message) });
  entered = new Entered(this.code, (message) => this.send(message));
  /** What taking a hand back or out would do. */
  question = new Question(
    (message) => this.send(message),
    () => this.store.touch(),
  );
  putBack = new PutBack((message) => this.send(message));
  shelf = new Shelf(() => this.store.touch());
  /** @type {Panel} */
  panel = null;
  /** @type {number | null} the id of the hand whose card is open */
  openHand = null;
  /** What the open panel asks about, as it was when it was opened. @type {import('./question.js').Asked | null} */
  asked = null;
  /** @type {string | null} why a question was closed without an answer */
  closedBecause = null;
  /** @type {Refusal | null} */
  refused = null;
  /** @type {string | null} what landed last, for a moment */
  landed = null;
  /** What is on its way has been so for longer than one notices. */
  isSlow = false;
  ownSeat = new OwnSeat();
  /** What is typed into a panel's fields. @type {Record<string, any>} */
  typed = {};
  /** @type {string | null} a recovery phrase being tried */
  phrase = null;
  isPhraseUnknown = false;
  knowsWhatIsLost = false;
  #keys = new Keyring(this.code, ['token', 'invite', 'watch']);
  /** The version of the table in which this phone's own invitation came in. */
  #invitedAt = 0;
  #slowTimer = 0;
  #landedTimer = 0;

  token() {
    return this.phrase ?? this.#keys.token();
  }

  /** @param {AnyCommand} command */
  do(command) {
    this.refused = null;
    const { view } = this.store.state;
    this.outbox.submit(command, { number: numberIn(view, command) });
  }

  /** The version of the table that whoever taps has seen. */
  get revision() {
    return this.desk.seen;
  }

  /** @param {Panel} panel */
  show(panel) {
    if (panel) markPanelInHistory();
    this.panel = panel;
    this.asked = null;
    this.closedBecause = null;
    this.question.forget();
    this.putBack.refused = null;
    this.typed = {};
    this.refused = null;
    scrollTo(0, 0);
    this.store.touch();
  }

  /** @param {Record<string, any>} typed */
  type(typed) {
    this.typed = { ...this.typed, ...typed };
    this.store.touch();
  }

  dropRefusal() {
    this.refused = null;
    this.store.touch();
  }

  /**
   * @param {string | null} seat
   * @param {string} name
   * @param {string | null} replace  whose seat it is
   */
  claimSeat(seat, name, replace) {
    keep('name', name);
    const isKnown = this.store.state.role !== 'invited';
    this.do({
      type: 'claim_seat',
      seat,
      name,
      ...(replace ? { replace } : {}),
      ...(isKnown ? {} : { token: newSecret() }),
    });
  }

  /** @param {string} phrase */
  recover(phrase) {
    this.phrase = tidyPhrase(phrase);
    this.isPhraseUnknown = false;
    this.reconnect();
  }

  /** @param {FromServer} message */
  receive(message) {
    if (message.type === 'welcome') this.#welcomed(message.role);
    if (message.type === 'event') this.#dropOldInvitation(message);
    this.outbox.receive(message);
    this.desk.receive(message);
    this.entered.receive(message, this.store.state.view);
    this.question.receive(message);
    if (this.putBack.receive(message)) {
      this.show(null);
      this.#land(t('ui.landed.put_back'));
    }
  }

  /** @param {string} role */
  #welcomed(role) {
    const token = this.token();
    const isSomebody = role === 'host' || role === 'player';
    if (isSomebody && token !== null) {
      becomeKnown(this.code, token);
      // Somebody's own token that came in a link is no invitation, and must never be shown as one.
      if (token === invitationTo(this.code)) keep('invite', null, this.code);
    }
    this.phrase = null;
  }

  /** A token the table does not know is put aside, and the next one tried; without any, one may still watch. */
  closedForGood() {
    if (!this.phrase) return this.#keys.putAside();
    this.isPhraseUnknown = true;
    this.phrase = null;
    return true;
  }

  get myName() {
    const { view, person } = this.store.state;
    const known = view && person ? view.people.names[person] : '';
    return known || /** @type {string | null} */ (recall('name')) || '';
  }

  /**
   * @param {Parcel} parcel
   * @param {Done} done
   */
  #done(parcel, done) {
    const { command } = parcel;
    this.entered.landed(parcel);
    if (command.type === 'claim_seat' && command.token) {
      becomeKnown(this.code, command.token);
      this.reconnect();
    }
    this.#keepKeys(command, done);
    if (command.type === 'correct_hand') this.desk.corrected(command);
    if (command.type === 'take_back_hand' || command.type === 'remove_hand') this.panel = null;
    this.#land(landedText(this, command, done));
  }

  /**
   * What this phone made to let others in, once the table knows it.
   *
   * @param {AnyCommand} command
   * @param {Done} done
   */
  #keepKeys(command, { version }) {
    if (command.type === 'invite_players') {
      this.#invitedAt = version;
      keep('invite', command.token, this.code);
    }
    if (command.type === 'set_privacy') keep('watch', command.token ?? null, this.code);
  }

  /**
   * The invitation that this phone has is good for nothing once there is a new one.
   *
   * @param {import('../protocol.js').EventMessage} event
   */
  #dropOldInvitation({ kind, version }) {
    const isMine = this.outbox.parcels.some(({ command }) => command.type === 'invite_players');
    if (kind === 'players_invited' && !isMine && version > this.#invitedAt) keep('invite', null, this.code);
  }

  /** @param {string | null} text */
  #land(text) {
    this.landed = text;
    clearTimeout(this.#landedTimer);
    this.#landedTimer = setTimeout(() => {
      this.landed = null;
      this.store.touch();
    }, LANDED_MS);
  }

  /**
   * @param {Parcel} parcel
   * @param {Refused} answer
   */
  #refused({ command }, { code, facts, field }) {
    const isOfHand = ['note_hand', 'enter_hand', 'correct_hand'].includes(command.type);
    const isShown = this.desk.draft && 'hand' in command && command.hand === this.desk.draft.hand;
    if (isOfHand && isShown && field) this.desk.refused = { code, facts, field };
    else this.refused = { code, facts, field };
  }

  #outboxChanged() {
    clearTimeout(this.#slowTimer);
    this.isSlow = false;
    if (this.outbox.parcels.length) {
      this.#slowTimer = setTimeout(() => {
        this.isSlow = true;
        this.store.touch();
      }, SLOW_MS);
    }
    this.store.touch();
  }
}

/**
 * @param {Play} play
 * @param {AnyCommand} command
 * @param {Done} done
 */
function landedText(play, command, done) {
  const key = `ui.landed.${command.type}`;
  if (!has(key)) return null;
  const { view, person } = play.store.state;
  const facts = { hand: numberIn(view, command) };
  if (!done.repeated || !view || !done.by || done.by === person) return t(key, facts);
  const time = done.at ? timeOfDay(done.at) : '';
  return has(`${key}_already`)
    ? t(`${key}_already`, { ...facts, who: personName(view, done.by), time })
    : t(key, facts);
}

const play = new Play();
takeInvitation(play.code);
const table = await openTablePage({
  screen: 'play',
  store: play.store,
  draw: ({ serverNow }) => draw(play, serverNow()),
  token: () => play.token(),
  onMessage: (message) => play.receive(message),
  onLost: () => play.outbox.lineLost(),
  onClosedForGood: () => play.closedForGood(),
});
play.store.subscribe(() => {
  play.ownSeat.follow(play.store.state);
  const { view, role } = play.store.state;
  if (view && (role === 'host' || role === 'player')) rememberTable(play.code, view.table.name);
});
play.store.subscribe(focusFollower());
keepAwake(() => {});
listenToKeys({ hasPanel: () => play.panel !== null, closePanel: () => play.show(null) });
play.send = table.line.send;
play.reconnect = table.line.reconnect;
play.outbox.sendWith(table.line.send);
