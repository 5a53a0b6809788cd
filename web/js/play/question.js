/**
 * What a panel asks about is held as it was when the panel was opened. When it becomes another thing, the question is
 * closed with a sentence: nobody answers it for something they have not seen.
 *
 * @import {Entry} from '../core/types.js'
 * @import {HandView, View} from '../protocol.js'
 * @import {Play} from './main.js'
 */

import { removedHand, scoredHand } from '../core/hands.js';
import { saysTheSame } from '../core/merge-entry.js';
import { personName } from '../core/names.js';
import { t, timeOfDay } from '../core/words.js';
import { faceOf } from '../games/index.js';

/** @typedef {{game: number, hand: number, number: number, was: Entry}} Asked  a hand by its id, and how it was */

/**
 * @param {View} view
 * @param {Pick<HandView, 'id' | 'number' | 'entry'>} hand
 * @returns {Asked}
 */
export function askedAbout(view, { id, number, entry }) {
  return { game: view.game.number, hand: id, number, was: entry };
}

/**
 * Ending the game is about all hands.
 *
 * @param {View} view
 * @returns {Asked}
 */
export function askedAboutTheEnd(view) {
  return { game: view.game.number, hand: view.in_play.id, number: view.in_play.hand, was: allHands(view) };
}

/**
 * @param {View} view
 * @returns {Entry}
 */
function allHands({ hands }) {
  return Object.fromEntries(hands.map(({ id, entry }) => [id, entry]));
}

/**
 * @param {Play} play
 * @param {View} view
 */
export function closeOutdatedQuestion(play, view) {
  const { asked, panel } = play;
  if (!asked || (panel !== 'undo' && panel !== 'remove' && panel !== 'end')) return;
  const isAnswered = play.outbox.parcels.some(
    ({ command, state }) => state !== 'overtaken' && 'hand' in command && command.hand === asked.hand,
  );
  const reason = isAnswered ? null : panel === 'end' ? endChanged(view, asked) : handChanged(view, asked, panel);
  if (reason === null) return;
  play.show(null);
  play.closedBecause = reason;
}

/**
 * @param {View} view
 * @param {Asked} asked
 */
function endChanged(view, asked) {
  if (asked.game !== view.game.number) return t('ui.outdated.next_game');
  return asked.hand === view.in_play.id && saysTheSame(allHands(view), asked.was) ? null : t('ui.outdated.end');
}

/**
 * @param {View} view
 * @param {Asked} asked
 * @param {'undo' | 'remove'} panel
 */
function handChanged(view, { game, hand, number, was }, panel) {
  if (game !== view.game.number) return t('ui.outdated.next_game');
  const { told } = faceOf(view.rules.key);
  const now = scoredHand(view, hand);
  const removed = removedHand(view, hand);
  if (removed) {
    const facts = { hand: removed.number, who: personName(view, removed.by), time: timeOfDay(removed.at) };
    return t('ui.outdated.removed', facts);
  }
  if (!now) return t('ui.outdated.taken_back', { hand: number });
  if (!saysTheSame(now.entry, was)) {
    const who = personName(view, (now.corrections.at(-1) ?? now.entered).by);
    return t('ui.outdated.changed', { hand: now.number, who, was: told(was), recorded: told(now.entry) });
  }
  return panel === 'undo' && now !== view.hands.at(-1) ? t('ui.outdated.not_last', { hand: now.number }) : null;
}
