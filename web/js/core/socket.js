/**
 * The line to the server: says hello, answers beats, notices when the line is dead, and comes back.
 *
 * @import {FinalCloseCode, FromClient, FromServer} from '../protocol.js'
 * @import {Store} from './store.js'
 */

import { bare } from './bare.js';

const PROTOCOL = 'bookboard.v1.json';
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
const WELCOME_WITHIN_MS = 8_000;
const BEATS_MISSED = 2.5;

/** What a close code from 3500 on says, as the name of its screen in the texts. */
/** @type {Record<FinalCloseCode, string>} */
const CLOSED_FOR_GOOD = { 3500: 'sent_away', 3501: 'sent_away', 3502: 'not_found' };

/**
 * @typedef {object} Line
 * @property {(message: FromClient) => boolean} send  false while there is no line; nothing is kept
 * @property {() => void} reconnect  start over, with whatever token there is now
 */

/**
 * @param {object} options
 * @param {string} options.room
 * @param {'watch' | 'play' | 'display'} options.screen
 * @param {Store} options.store
 * @param {() => string | null} [options.token]
 * @param {(message: FromServer) => void} [options.onMessage]
 * @param {() => void} [options.onLost]
 * @param {(code: number) => boolean} [options.onClosedForGood]  true if it mended the cause and wants to try again
 * @returns {Line}
 */
export function openLine({ room, screen, store, token = () => null, onMessage, onLost, onClosedForGood }) {
  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0;
  let retryTimer = 0;
  let watchdog = 0;
  let silenceMs = WELCOME_WITHIN_MS;
  /** @type {number | null} */
  let comeBackIn = null;

  function connect() {
    clearTimeout(retryTimer);
    drop();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const mine = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(room)}`, PROTOCOL);
    socket = mine;
    silenceMs = WELCOME_WITHIN_MS;
    listen();
    mine.onopen = () => mine === socket && send({ type: 'hello', room, token: token(), screen, resume: resume() });
    mine.onmessage = ({ data }) => mine === socket && receive(bare(JSON.parse(data)));
    mine.onclose = ({ code }) => mine === socket && closed(code);
  }

  function resume() {
    return store.state.view ? store.state.position : null;
  }

  /** @param {FromServer} message */
  function receive(message) {
    listen();
    store.state.heardAt = Date.now();
    if (message.type === 'beat') send({ type: 'pong' });
    if (message.type === 'bye') comeBackIn = message.reconnect_in;
    if (message.type === 'welcome') {
      tries = 0;
      silenceMs = message.heartbeat * 1000 * BEATS_MISSED;
      listen();
    }
    if (store.receive(message)) send({ type: 'sync' });
    onMessage?.(message);
  }

  // A dead line is often never closed by anyone: silence is the only sign of it.
  function listen() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => closed(0), silenceMs);
  }

  /** @param {number} code */
  function closed(code) {
    drop();
    onLost?.();
    const isFinal = code >= 3500 && code < 4000;
    if (isFinal && !onClosedForGood?.(code)) {
      store.set({
        link: 'closed',
        closedBecause: CLOSED_FOR_GOOD[/** @type {FinalCloseCode} */ (code)] ?? 'sent_away',
      });
      return;
    }
    store.set({ link: 'lost' });
    retryTimer = setTimeout(connect, isFinal ? 0 : (comeBackIn ?? patience()));
    comeBackIn = null;
  }

  function patience() {
    const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** tries++);
    return longest * (0.5 + Math.random() / 2);
  }

  function drop() {
    clearTimeout(watchdog);
    const old = socket;
    socket = null;
    old?.close();
  }

  /** @param {FromClient} message */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function hurry() {
    if (document.visibilityState === 'hidden' || store.state.link === 'closed') return;
    if (store.state.link === 'live' && Date.now() - store.state.heardAt < silenceMs) return;
    tries = 0;
    connect();
  }

  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  connect();
  return { send, reconnect: connect };
}
