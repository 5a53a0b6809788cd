/**
 * The phone's page under a keyboard and under the Back key: digits tap the pad, Escape and Back close a panel, and the
 * heading of a new step takes the focus, which the step before took with it.
 */

/** How long a 1 waits for the rest of 10 to 13. */
const SECOND_DIGIT_MS = 600;

/**
 * @param {object} page
 * @param {() => boolean} page.hasPanel
 * @param {() => void} page.closePanel
 */
export function listenToKeys({ hasPanel, closePanel }) {
  const typeDigit = digitTyper();
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping()) return;
    if (event.key === 'Escape' && hasPanel()) closePanel();
    else if (/^[0-9]$/.test(event.key)) typeDigit(event.key);
  });
  addEventListener('popstate', () => hasPanel() && closePanel());
}

/** A panel gets a place in the history, so that Back leaves the panel and not the table. */
export function markPanelInHistory() {
  if (history.state !== 'panel') history.pushState('panel', '');
}

/** Whether keys belong to a field. */
function isTyping() {
  return document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement;
}

function digitTyper() {
  let first = '';
  let timer = 0;
  const tap = (/** @type {string} */ number) => keyOf(number)?.click();
  return (/** @type {string} */ digit) => {
    clearTimeout(timer);
    const both = first + digit;
    if (first && keyOf(both)) {
      first = '';
      return tap(both);
    }
    if (first) tap(first);
    first = keyOf(`${digit}0`) ? digit : '';
    if (first) {
      timer = setTimeout(() => {
        first = '';
        tap(digit);
      }, SECOND_DIGIT_MS);
    } else tap(digit);
  };
}

/**
 * @param {string} number
 * @returns {HTMLButtonElement | undefined}
 */
function keyOf(number) {
  const keys = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('.pad button'));
  return [...keys].find((key) => key.textContent?.trim() === number);
}

/** @returns {() => void}  to be called after every drawing */
export function focusFollower() {
  let before = '';
  return () => {
    const heading = /** @type {HTMLElement | null} */ (document.querySelector('#page h1'));
    const now = heading?.textContent?.trim() ?? '';
    const isNew = before !== '' && now !== before;
    before = now;
    if (!heading || !isNew || isTyping()) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
}
