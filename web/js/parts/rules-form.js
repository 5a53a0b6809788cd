/**
 * A game's rules as a form, made from the settings' declarations: grouped, with help, hidden where they say so.
 *
 * @import {GameOffer, Setting, Settings} from '../core/types.js'
 * @import {Json} from '../protocol.js'
 * @import {Refusal} from './refusal.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { completeSettings, isHidden, valueLabel } from '../core/settings.js';
import { t } from '../core/words.js';
import { refusalText } from './refusal.js';

/**
 * @typedef {object} RulesForm
 * @property {GameOffer} game
 * @property {Settings} settings
 * @property {(changed: Settings) => void} set  what is chosen now; the rest stays
 * @property {Refusal | null} refused
 */

/** @param {RulesForm} form */
export function rulesForm(form) {
  const complete = completeSettings(form.game, form.settings);
  const shown = form.game.settings.filter((setting) => !isHidden(setting, complete));
  const groups = [...new Set(shown.map((setting) => setting.group))];
  return html`${groups.map((group) => {
    const settings = shown.filter((setting) => setting.group === group);
    return html`<details class="panel rules-group" ?open=${group === groups[0]}>
      <summary>
        <span class="strong">${group}</span>
        <span class="quiet small">${changedIn(settings, complete)}</span>
      </summary>
      ${settings.map((setting) => settingField(form, setting, complete[setting.key] ?? null))}
    </details>`;
  })}`;
}

/**
 * @param {Setting[]} settings
 * @param {Settings} complete
 */
function changedIn(settings, complete) {
  const changed = settings.filter((setting) => complete[setting.key] !== setting.default);
  return changed
    .map((setting) => `${setting.label}: ${valueLabel(setting, complete[setting.key] ?? null)}`)
    .join(' · ');
}

/**
 * @param {RulesForm} form
 * @param {Setting} setting
 * @param {Json} value
 */
function settingField(form, setting, value) {
  const isOffered = setting.choices.some((choice) => choice.value === value);
  const set = (/** @type {Json} */ chosen) => form.set({ [setting.key]: chosen });
  const refusal = form.refused?.field === setting.key ? refusalText(form.refused) : '';
  return html`<div class="setting" role="group" aria-label=${setting.label}>
    <p class="strong">
      ${setting.label} ${setting.unit ? html`<span class="quiet small">${setting.unit}</span>` : nothing}
    </p>
    <div class="setting-choices">
      <span class="segments">
        ${setting.choices.map(
          (choice) =>
            html`<button type="button" aria-pressed=${choice.value === value} @click=${() => set(choice.value)}>
              ${choice.label}
            </button>`,
        )}
      </span>
      ${setting.low !== null && setting.high !== null ? customNumber(setting, isOffered ? null : value, set) : nothing}
    </div>
    ${refusal ? html`<p class="refusal" role="alert">${refusal}</p>` : nothing}
    <p class="quiet small">${setting.help}</p>
  </div>`;
}

/**
 * @param {Setting} setting
 * @param {Json} value
 * @param {(value: Json) => void} set
 */
function customNumber(setting, value, set) {
  const typed = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.value !== '' && input.validity.valid) set(input.valueAsNumber);
    else if (input.value === '') set(setting.default);
  };
  const range = t('ui.rules.range', { low: setting.low, high: setting.high });
  return html`<label class="custom">
    <span class="visually-hidden">${t('ui.rules.other', { label: setting.label })}</span>
    <input
      type="number"
      inputmode="numeric"
      min=${setting.low ?? ''}
      max=${setting.high ?? ''}
      step="1"
      placeholder=${range}
      .value=${live(typeof value === 'number' ? String(value) : '')}
      @change=${typed}
    />
  </label>`;
}
