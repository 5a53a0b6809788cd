/** What a browser that keeps nothing loses, said before it does. */

import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { keptUntil } from '../core/keep.js';
import { t } from '../core/words.js';

/** What is lost, and when; '' where the browser keeps what it should. */
export function forgetfulText() {
  const until = keptUntil();
  return until === 'visits' ? '' : t(`ui.forgetful.${until}`);
}

export function forgetfulNote() {
  const text = forgetfulText();
  return text ? html`<p class="panel small" role="note">${text}</p>` : nothing;
}
