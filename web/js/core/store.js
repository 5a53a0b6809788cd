/**
 * What a page knows: the board, where it stands in the log, how the line to the server is. One per page; whoever draws
 * subscribes and is called at most once a frame.
 *
 * @import {FromServer, View} from '../protocol.js'
 * @import {SidesOutlook} from './types.js'
 * @import {Position} from './follow.js'
 */

import { applyChanges, goneIn, verdict } from './follow.js';

/**
 * @typedef {object} BoardState
 * @property {View | null} view
 * @property {Position | null} position
 * @property {'connecting' | 'live' | 'lost' | 'closed'} link
 * @property {string | null} closedBecause  why the server does not want us back, while `link` is `closed`
 * @property {string | null} role
 * @property {string | null} person
 * @property {string[]} addresses
 * @property {boolean} readonly  the server cannot take hands just now
 * @property {boolean} isLost  the server has lost the table, and shows what it knew
 * @property {number} readonlySince
 * @property {import('../protocol.js').ClockChange | null} clockSet  the server's clock was set a while ago
 * @property {boolean} isReplaced  what this screen showed is not in the log any more; until the next event
 * @property {number | null} screens
 * @property {number} heardAt  when the server was last heard, by this device's clock
 * @property {number} offset  the server's clock less this device's, in ms
 * @property {{game: number, hands: number[]} | null} rewound  hands that were in and are gone: the store had to go back
 * @property {{kind: string, hand: number | null, by: string, version: number} | null} latest  the newest event seen live
 * @property {SidesOutlook} outlook  what the books would decide in the hand in play, as far as that was told
 */

/** @type {BoardState} */
const BLANK = {
  view: null,
  position: null,
  link: 'connecting',
  closedBecause: null,
  role: null,
  person: null,
  addresses: [],
  readonly: false,
  isLost: false,
  readonlySince: 0,
  clockSet: null,
  isReplaced: false,
  screens: null,
  heardAt: 0,
  offset: 0,
  rewound: null,
  latest: null,
  outlook: {},
};

export class Store {
  /** @type {BoardState} */
  state = BLANK;
  /** @type {Set<() => void>} */
  #watchers = new Set();
  #isFrameAsked = false;

  /** @param {() => void} draw */
  subscribe(draw) {
    this.#watchers.add(draw);
  }

  /** Draw again although nothing here changed: something beside the board did. */
  touch() {
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    const draw = () => {
      if (!this.#isFrameAsked) return;
      this.#isFrameAsked = false;
      for (const watcher of this.#watchers) watcher();
    };
    requestAnimationFrame(draw);
    // A page in the background gets no frames, and would come back with an old board.
    setTimeout(draw, 500);
  }

  /** @param {Partial<BoardState>} part */
  set(part) {
    this.state = { ...this.state, ...part };
    this.touch();
  }

  /**
   * Take in a message of the server's. True if the board cannot follow and has to ask for a snapshot.
   *
   * @param {FromServer} message
   * @returns {boolean}
   */
  receive(message) {
    switch (message.type) {
      case 'welcome':
        this.set({
          role: message.role,
          person: message.person,
          addresses: message.addresses,
          ...storeStatus(message.status),
          offset: message.now - Date.now(),
          link: 'live',
          closedBecause: null,
        });
        return false;
      case 'snapshot':
        this.set({
          rewound: goneIn(this.state, message),
          view: message.state,
          position: positionOf(message),
          latest: null,
          outlook: message.outlook,
        });
        return false;
      case 'event':
        return this.#follow(message);
      case 'outlook':
        if (message.epoch === this.state.position?.epoch && message.version === this.state.position.version) {
          this.set({ outlook: message.outlook });
        }
        return false;
      case 'rewound':
        this.set({ rewound: { game: message.game, hands: message.hands }, isReplaced: !message.complete });
        return false;
      case 'status':
        this.set(storeStatus(message));
        return false;
      case 'watching':
        this.set({ screens: message.screens });
        return false;
      case 'beat':
        this.set({ offset: message.now - Date.now() });
        return false;
      case 'done':
      case 'refused':
      case 'preview':
      case 'checked':
      case 'bye':
        return false; // for whoever asked, and for the line
      default:
        return unknown(message);
    }
  }

  /** @param {import('../protocol.js').EventMessage} event */
  #follow(event) {
    const { view, position, outlook } = this.state;
    const what = view ? verdict(position, event) : 'sync';
    if (what === 'apply' && view) {
      const latest = { kind: event.kind, hand: event.hand, by: event.by, version: event.version };
      const last = { epoch: event.epoch, version: event.version, last: event.id };
      const forecast = event.changes.in_play ? {} : outlook;
      this.set({
        isReplaced: false,
        view: applyChanges(view, event.changes),
        position: last,
        latest,
        outlook: forecast,
      });
    }
    return what === 'sync';
  }
}

/**
 * A newer server may say more than this page knows. tsc names each message of this one's that the switch above forgets.
 *
 * @param {never} _message
 */
function unknown(_message) {
  return false;
}

/**
 * The hands that are gone and not yet entered again.
 *
 * @param {BoardState} state
 * @returns {number[]}
 */
export function handsGone({ view, rewound }) {
  if (!view || rewound?.game !== view.game.number) return [];
  return rewound.hands.filter((hand) => hand > view.hands.length);
}

/** @param {import('../protocol.js').Status} status */
function storeStatus(status) {
  return {
    readonly: status.store !== 'ok',
    isLost: status.store === 'lost',
    readonlySince: status.since,
    clockSet: status.clock,
  };
}

/**
 * @param {Position} message
 * @returns {Position}
 */
function positionOf({ epoch, version, last }) {
  return { epoch, version, last };
}
