/**
 * Going on with a game from a file, at a table of its own.
 *
 * @import {Home} from './main.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../core/words.js';
import { LONGEST_NAME, textField } from '../parts/field.js';
import { fileButton } from '../parts/file-button.js';
import { refusalText } from '../parts/refusal.js';

/** @param {Home} home */
export function takeCard(home) {
  const { opening, taken } = home;
  return html`<section class="panel stack">
    <h2>${t('ui.taken.title')}</h2>
    <p class="quiet">${t('ui.taken.text')}</p>
    <div class="chips">
      ${fileButton({ label: t('ui.taken.choose'), accept: '.json,.csv', opened: (file) => home.takeFile(file) })}
    </div>
    ${taken.refused ? html`<p class="refusal" role="alert">${whatIsWrong(taken.refused)}</p>` : nothing}
    ${
      taken.game
        ? html`<p class="strong name" role="status">${t('ui.taken.chosen', { file: taken.file })}</p>
            ${textField({
              label: t('ui.open.your_name'),
              value: opening.host,
              set: (host) => home.type({ host }),
              autocomplete: 'given-name',
              longest: LONGEST_NAME,
            })}
            <button class="main" ?disabled=${!opening.host.trim() || home.isOpening} @click=${() => home.openTaken()}>
              ${t(opening.host.trim() ? 'ui.taken.open' : 'ui.open.name_first')}
            </button>`
        : nothing
    }
  </section>`;
}

/** @param {import('../core/types.js').Refusal} refused */
function whatIsWrong(refused) {
  const { hand } = refused.facts;
  return hand ? t('ui.taken.in_hand', { hand, what: refusalText(refused) }) : refusalText(refused);
}
