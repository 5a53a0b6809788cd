/**
 * A page's drawing, kept true. Templates hold on to the nodes they made; when a translator or an extension puts others
 * in their place, updates would go to nodes that nobody sees, and old scores stay up. Then all is drawn afresh.
 *
 * @import {TemplateResult} from '../../vendor/lit-html/lit-html.js'
 */

import { html, render } from '../../vendor/lit-html/lit-html.js';
import { pageStands } from './start.js';
import { t } from './words.js';

const FOCUSABLE = 'a, button, input, textarea, summary, h1';

/** @typedef {'none' | 'words' | 'facts'} Foreign  what others have changed: `facts` stand where `translate="no"` is */

export class Drawing {
  #place = /** @type {HTMLElement} */ (document.getElementById('page'));
  /** @type {Foreign} */
  #foreign = 'none';
  /** The page without its facts, as it was drawn last while it is a translated one. @type {Element | null} */
  #bare = null;
  #observer = new MutationObserver((changes) => this.#note(changes));

  constructor() {
    this.#observe();
  }

  /** @param {() => TemplateResult} make */
  draw(make) {
    this.#note(this.#observer.takeRecords());
    try {
      this.#drawTrue(make());
    } catch {
      this.#startAfresh(() => this.#drawOrSay(make));
    }
    this.#observer.takeRecords();
    pageStands();
  }

  /** @param {TemplateResult} template */
  #drawTrue(template) {
    const bare = this.#foreign === 'none' ? null : withoutFacts(template);
    const isStale = this.#foreign === 'facts' || !bare?.isEqualNode(this.#bare);
    this.#bare = bare;
    if (this.#foreign !== 'none' && isStale) this.#startAfresh(() => render(template, this.#place));
    else render(template, this.#place);
  }

  /** @param {() => TemplateResult} make */
  #drawOrSay(make) {
    try {
      render(make(), this.#place);
    } catch (error) {
      this.#startAfresh(() => render(cannotBeDrawn(), this.#place));
      reportError(error);
    }
  }

  /** @param {() => void} drawAll */
  #startAfresh(drawAll) {
    const goOn = whereTheReaderIs(this.#place);
    this.#observer.disconnect();
    const fresh = /** @type {HTMLElement} */ (this.#place.cloneNode(false));
    this.#place.replaceWith(fresh);
    this.#place = fresh;
    this.#foreign = 'none';
    drawAll();
    goOn(this.#place);
    this.#observe();
  }

  #observe() {
    this.#observer.observe(this.#place, { childList: true, characterData: true, subtree: true });
  }

  /** @param {MutationRecord[]} changes */
  #note(changes) {
    if (!changes.length || this.#foreign === 'facts') return;
    const areFacts = changes.some(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement;
      return element === null || element.closest('[translate=no]') !== null;
    });
    this.#foreign = areFacts ? 'facts' : 'words';
  }
}

/** @param {TemplateResult} template */
function withoutFacts(template) {
  const copy = document.createElement('div');
  render(template, copy);
  for (const fact of copy.querySelectorAll('[translate=no]')) {
    const texts = document.createTreeWalker(fact, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) /** @type {Text} */ (texts.currentNode).data = '';
  }
  return copy;
}

/**
 * What has the focus, and what stands open: a function that gives it back in a fresh drawing.
 *
 * @param {HTMLElement} before
 */
function whereTheReaderIs(before) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const place = active ? [...before.querySelectorAll(FOCUSABLE)].indexOf(active) : -1;
  const typing = active instanceof HTMLInputElement && active.type === 'text' ? active : null;
  const selected = typing && /** @type {const} */ ([typing.selectionStart, typing.selectionEnd]);
  const open = [...before.querySelectorAll('details')].map((each) => each.open);
  return (/** @type {HTMLElement} */ now) => {
    now.querySelectorAll('details').forEach((each, at) => {
      each.open = open[at] ?? each.open;
    });
    const focused = /** @type {HTMLElement | undefined} */ (now.querySelectorAll(FOCUSABLE)[place]);
    focused?.focus({ preventScroll: true });
    if (selected && focused instanceof HTMLInputElement) focused.setSelectionRange(...selected);
  };
}

function cannotBeDrawn() {
  return html`<main class="full-page">
    <p role="alert">${t('ui.link.cannot_draw')}</p>
    <button class="main" @click=${() => location.reload()}>${t('ui.link.reload')}</button>
  </main>`;
}
