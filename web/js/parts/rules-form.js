/**
 * A game's rules as a form, made from the settings' declarations: grouped, with help, hidden where they say so.
 *
 * @import {GameOffer, Setting, Settings} from '../core/types.js'
 * @import {TypedNumbers} from '../core/settings.js'
 * @import {Json} from '../protocol.js'
 * @import {Refusal} from '../core/types.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { completeSettings, isHidden, oddSettings, valueLabel } from '../core/settings.js';
import { t } from '../core/words.js';
import { nothingTyped, numberField } from './number-field.js';
import { refusalText } from './refusal.js';

/**
 * @typedef {object} RulesForm
 * @property {GameOffer} game
 * @property {Settings} settings
 * @property {TypedNumbers} typed
 * @property {(changed: Settings, typed: TypedNumbers) => void} set  what is chosen and typed now; the rest stays
 * @property {Refusal | null} refused
 */

/**
 * What is wrong with the rules before anybody asks the server, for the button that would use them; '' if nothing.
 *
 * @param {GameOffer} game
 * @param {Settings} settings
 * @param {TypedNumbers} typed
 */
export function whatToMend(game, settings, typed) {
  const [odd] = oddSettings(game, settings, typed);
  return odd ? t('ui.rules.mend', { label: odd.label }) : '';
}

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
  const choose = (/** @type {Json} */ chosen) => form.set({ [setting.key]: chosen }, nothingTyped(setting));
  const isOdd = form.typed[setting.key]?.isTold && oddSettings(form.game, form.settings, form.typed).includes(setting);
  const refusal = form.refused?.field === setting.key ? refusalText(form.refused) : '';
  return html`<div class="setting" role="group" aria-label=${setting.label}>
    <p class="strong">
      ${setting.label} ${setting.unit ? html`<span class="quiet small">${setting.unit}</span>` : nothing}
    </p>
    <div class="setting-choices">
      <span class="segments">
        ${setting.choices.map(
          (choice) =>
            html`<button type="button" aria-pressed=${choice.value === value} @click=${() => choose(choice.value)}>
              ${choice.label}
            </button>`,
        )}
      </span>
      ${
        setting.low !== null && setting.high !== null
          ? numberField({ setting, value: isOffered ? null : value, typed: form.typed[setting.key], set: form.set })
          : nothing
      }
    </div>
    ${isOdd ? html`<p class="refusal" role="alert">${t('ui.rules.out_of_range', { ...setting })}</p>` : nothing}
    ${refusal ? html`<p class="refusal" role="alert">${refusal}</p>` : nothing}
    <p class="quiet small">${setting.help}</p>
  </div>`;
}
