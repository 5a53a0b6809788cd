/**
 * Entering a hand of a game that has no form of its own, by the fields that its rules declare.
 *
 * @import {Field, Json} from '../protocol.js'
 * @import {Form, HandForm} from './index.js'
 */

import { html } from '../../vendor/lit-html/lit-html.js';
import { sideName } from '../core/names.js';
import { t } from '../core/words.js';
import { digitPad, numberPad } from '../parts/pad.js';
import { refusalBeside } from '../parts/refusal.js';

const LONGEST_PAD = 20;
const TYPING = 'typing';

/** @param {HandForm} form */
const fieldsOf = (form) => form.view.rules.fields;

/**
 * @param {HandForm} form
 * @param {Field} field
 */
function isFilled({ entry, view }, { member, kind, optional }) {
  const value = entry[member];
  if (optional) return true;
  if (kind !== 'numbers') return value !== undefined && value !== null;
  const numbers = /** @type {Record<string, Json>} */ (
    value && typeof value === 'object' ? value : Object.create(null)
  );
  return view.game.sides.every((side) => typeof numbers[side] === 'number');
}

/** @param {HandForm} form */
const firstOpen = (form) => fieldsOf(form).find((field) => !isFilled(form, field));

/**
 * @param {HandForm} form
 * @param {Field} field
 */
function fieldPart(form, field) {
  return html`
    <p class="strong">${field.label}</p>
    ${refusalBeside(form, [field.member])} ${INPUTS[field.kind](form, field)}
  `;
}

/** @type {Record<Field['kind'], (form: HandForm, field: Field) => unknown>} */
const INPUTS = {
  side: (form, { member }) =>
    options(
      form,
      member,
      form.view.game.sides.map((side) => ({ value: side, label: sideName(form.view, side) })),
    ),
  choice: (form, { member, choices }) => options(form, member, choices),
  number: (form, field) =>
    pad(form, field, form.entry[field.member], field.member, (value) => ({ [field.member]: value })),
  numbers: (form, field) => {
    const given = form.entry[field.member];
    const numbers = /** @type {Record<string, Json>} */ (
      given && typeof given === 'object' ? given : Object.create(null)
    );
    return form.view.game.sides.map(
      (side) => html`
        <p class="quiet name">${sideName(form.view, side)}</p>
        ${pad(form, { ...field, label: `${field.label}: ${sideName(form.view, side)}` }, numbers[side], `${field.member}.${side}`, (value) => ({ [field.member]: { [side]: value } }))}
      `,
    );
  },
};

/**
 * @param {HandForm} form
 * @param {string} member
 * @param {{value: Json, label: string}[]} choices
 */
function options(form, member, choices) {
  return html`<div class="chips">
    ${choices.map(
      ({ value, label }) =>
        html`<button
          class="chip name"
          aria-pressed=${form.entry[member] === value}
          @click=${() => form.lay({ [member]: value })}
        >
          ${label}
        </button>`,
    )}
  </div>`;
}

/**
 * @param {HandForm} form
 * @param {Field} field
 * @param {Json | undefined} given
 * @param {string} target
 * @param {(value: number | null) => import('../core/types.js').Entry} part
 */
function pad(form, { label, low, high }, given, target, part) {
  const value = typeof given === 'number' ? given : null;
  if (high - low <= LONGEST_PAD) {
    return numberPad({ label, from: low, upTo: high, value, set: (typed) => form.lay(part(typed)) });
  }
  return digitPad({
    label,
    value,
    isFresh: form.aim.target !== target || form.aim.step !== TYPING,
    set: (typed) =>
      typed !== null && typed > high
        ? undefined
        : form.lay(part(typed), { target, step: typed === null ? null : TYPING }),
    next: null,
  });
}

/** @type {Form} */
export const plainForm = {
  title: ({ hand }) => t('games.plain.title', { hand }),
  body: (form) => html`${fieldsOf(form).map((field) => fieldPart(form, field))}`,
  isReady: (form) => !firstOpen(form),
  isShowingResult: (form) => !firstOpen(form),
  next: (form) => ({ text: t('games.plain.next', { label: firstOpen(form)?.label ?? '' }) }),
  isNotedAtOnce: () => false,
};
