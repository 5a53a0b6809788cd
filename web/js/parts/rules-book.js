/**
 * A table's rules in sentences, by what they are about; those that are not the usual ones are marked.
 *
 * @import {GameOffer, RulesInWords, Sentence} from '../core/types.js'
 */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { offeredGames } from '../core/games.js';
import { sentenceText } from '../core/rulebook.js';
import { valueLabel } from '../core/settings.js';
import { t } from '../core/words.js';

/**
 * @param {RulesInWords} told
 * @param {() => void} redraw
 */
export function rulesBook(told, redraw) {
  const game = offeredGames(redraw).find((each) => each.key === told.key);
  const groups = [...new Set(told.sentences.map(({ group }) => group))];
  return html`<div class="rules-book">
    ${groups.map(
      (group) =>
        html`<section class="panel">
          <h2>${group || t('ui.rules.basics')}</h2>
          <ul>
            ${told.sentences
              .filter((sentence) => sentence.group === group)
              .map((sentence) => html`<li>${sentenceText(sentence)} ${usual(told, sentence, game)}</li>`)}
          </ul>
        </section>`,
    )}
  </div>`;
}

/**
 * @param {RulesInWords} told
 * @param {Sentence} sentence
 * @param {GameOffer | undefined} game
 */
function usual({ settings }, { about }, game) {
  const setting = game?.settings.find(({ key }) => key === about);
  if (!setting || settings[about] === setting.default) return nothing;
  return html`<span class="quiet small">${t('ui.rules.usual', { value: valueLabel(setting, setting.default) })}</span>`;
}
