/**
 * The games' faces: all that a screen shows of one game and no other. Adding a game is one module and one line here.
 *
 * @import {TemplateResult} from '../../vendor/lit-html/lit-html.js'
 * @import {Entry, Refusal, SidesOutlook} from '../core/types.js'
 * @import {HandView, PreviewResult, View} from '../protocol.js'
 */

import { bidWhist } from './bid-whist.js';
import { pack } from './pack.js';
import { plain } from './plain.js';
import { spades } from './spades.js';

/**
 * @typedef {object} Cell
 * @property {string} text
 * @property {'hurts' | 'helps'} [tone]
 *
 * @typedef {object} Column  one of a side's columns in the score sheet
 * @property {string} label
 * @property {(hand: HandView, side: string) => Cell} cell
 * @property {(view: View, side: string) => string} [inPlay]  what is known of it before the hand is scored
 *
 * @typedef {object} Row  a row of marks under a side's score on the display
 * @property {'cards' | 'pips'} kind
 * @property {string} label
 * @property {number} of  how many marks
 * @property {number} filled
 * @property {number} over  marks beyond those
 * @property {string} note
 *
 * @typedef {object} Face
 * @property {(view: View) => string} headline  `Spades to 500`
 * @property {(view: View) => string} whenLevel  what happens if the last hand leaves the scores level
 * @property {(view: View, side: string) => string} standing  what else there is to know of a side
 * @property {(view: View, side: string) => Row[]} rows
 * @property {Column[]} columns
 * @property {(hand: HandView, side: string) => string} summary  what a side did in a hand, without its points
 * @property {(view: View, outlook: SidesOutlook) => string} now  what the table is waiting for
 * @property {(view: View) => string} [sheetNote]  what a mark in the score sheet means; '' if there is none in it
 * @property {(entry: Entry) => string} told  a hand as it is entered, in a few characters: `bid 6, 5; took 8–5`
 * @property {Form | null} form  how a phone enters a hand; null where it cannot yet
 *
 * @typedef {object} Aim  where the next number typed goes
 * @property {string | null} step
 * @property {string | null} target
 *
 * @typedef {object} HandForm  one hand being entered or corrected
 * @property {View} view
 * @property {number} hand
 * @property {Entry} entry  what is known and typed of it
 * @property {boolean} isCorrection
 * @property {boolean} isHost
 * @property {Aim} aim
 * @property {PreviewResult | null} preview  what the hand would score as it is typed
 * @property {string | null} mySeat
 * @property {Refusal | null} refused
 * @property {string} reason  the host's, for letting a check pass
 * @property {(reason: string) => void} setReason
 * @property {(part: Entry, aim?: Partial<Aim>) => void} lay  lay a part over it, and aim elsewhere
 * @property {(aim: Partial<Aim>) => void} aimAt
 *
 * @typedef {object} Form
 * @property {(form: HandForm) => string} title
 * @property {(form: HandForm) => TemplateResult} body
 * @property {(form: HandForm) => boolean} isReady  all is typed: the server can say what it scores
 * @property {(form: HandForm) => boolean} isShowingResult  the step at which a preview belongs on the screen
 * @property {(form: HandForm) => {text: string, aim?: Partial<Aim>}} next  what to do before that, and where it is done
 * @property {(part: Entry) => boolean} isNotedAtOnce  others should see this part while the hand is still in play
 */

/** @type {Record<string, Face>} */
const FACES = { spades, tournament_spades: spades, bid_whist: bidWhist, pack };

/** @param {string} key */
export function faceOf(key) {
  return FACES[key] ?? plain;
}
