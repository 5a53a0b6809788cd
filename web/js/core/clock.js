/**
 * The time limit as it is drawn: from the deadline and the offset to the server's clock, never from ticks.
 *
 * @import {ClockView} from '../protocol.js'
 */

import { countdown } from './words.js';

const SHORT_MS = 5 * 60_000;

/**
 * @param {ClockView} clock
 * @param {number} serverNow
 * @returns {{kind: 'none' | 'running' | 'paused' | 'last' | 'extra', text: string, isShort: boolean}}
 */
export function readClock(clock, serverNow) {
  if (clock.extra) return { kind: 'extra', text: '', isShort: false };
  if (clock.last_hand) return { kind: 'last', text: '', isShort: false };
  if (clock.deadline !== null) {
    const left = clock.deadline - serverNow;
    return { kind: 'running', text: countdown(left), isShort: left < SHORT_MS };
  }
  if (clock.left !== null) return { kind: 'paused', text: countdown(clock.left), isShort: false };
  return { kind: 'none', text: '', isShort: false };
}
