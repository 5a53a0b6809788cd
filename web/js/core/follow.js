/**
 * How a screen keeps up: what to do with an event, and what a board looks like after it. Pure.
 *
 * @import {Changes, EventMessage, HandsChange, HandView, ShiftedHands, SnapshotMessage, View} from '../protocol.js'
 */

/** @typedef {{epoch: number, version: number, last: string}} Position */

/**
 * @param {Position | null} mine
 * @param {Pick<EventMessage, 'epoch' | 'version' | 'prev'>} event
 * @returns {'drop' | 'apply' | 'sync'}
 */
export function verdict(mine, event) {
  if (!mine || event.epoch !== mine.epoch) return 'sync';
  if (event.version <= mine.version) return 'drop';
  return event.version === mine.version + 1 && event.prev === mine.last ? 'apply' : 'sync';
}

/**
 * The board with the sections that changed put in place.
 *
 * @param {View} view
 * @param {Changes} changes
 * @returns {View}
 */
export function applyChanges(view, changes) {
  const { hands, ...sections } = changes;
  const changed = { ...view, ...sections };
  return hands ? { ...changed, hands: changedHands(view.hands, hands) } : changed;
}

/**
 * @param {HandView[]} shown
 * @param {HandsChange} change
 */
function changedHands(shown, { keep, hands, shifted }) {
  const kept = shown.slice(0, keep);
  if (!shifted) return [...kept, ...hands];
  const known = new Map(shown.map((hand) => [hand.id, hand]));
  const moved = shifted.ids.flatMap((id, place) => {
    const hand = known.get(id);
    return hand ? [shiftedHand(hand, shifted, place)] : [];
  });
  return [...kept, ...[...hands, ...moved].sort((one, other) => one.number - other.number)];
}

/**
 * @param {HandView} hand
 * @param {ShiftedHands} to
 * @param {number} place  of the hand in the lists
 * @returns {HandView}
 */
function shiftedHand(hand, to, place) {
  const sides = Object.entries(hand.sides).map(([side, result]) => {
    const lists = to.figures?.[side] ?? {};
    const figures = Object.entries(result.figures).map(([name, was]) => [name, lists[name] ? lists[name][place] : was]);
    const score = to.score?.[side]?.[place] ?? result.score;
    return [side, { ...result, score, figures: Object.fromEntries(figures) }];
  });
  return {
    ...hand,
    number: to.number?.[place] ?? hand.number,
    dealer: to.dealer?.[place] ?? hand.dealer,
    sides: Object.fromEntries(sides),
  };
}

/**
 * The hands that a screen shows and a snapshot of a newer epoch lacks, with those that the server has named.
 *
 * @param {{position: Position | null, view: View | null, rewound: {game: number, hands: number[]} | null}} mine
 * @param {Pick<SnapshotMessage, 'epoch' | 'state'>} snapshot
 * @returns {{game: number, hands: number[]} | null}
 */
export function goneIn({ position, view, rewound }, { epoch, state }) {
  if (!position || !view || epoch <= position.epoch) return rewound;
  const game = view.game.number;
  const named = rewound?.game === game ? rewound.hands : [];
  const stands = game === state.game.number ? state.hands.length : 0;
  const lacking = game < state.game.number ? [] : view.hands.map(({ number }) => number).filter((n) => n > stands);
  return { game, hands: [...new Set([...named, ...lacking])].sort((a, b) => a - b) };
}
