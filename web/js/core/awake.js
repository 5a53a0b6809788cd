/** Keeping the screen on, where the browser lets a page do that: over HTTPS only. */

const AGAIN_MS = 15_000;

/**
 * Asked for whenever the page is seen and has it not: the system may take it away at any time.
 *
 * @param {() => void} changed
 * @returns {{isKept: boolean}}
 */
export function keepAwake(changed) {
  const awake = { isKept: false };
  let isAsking = false;
  const set = (/** @type {boolean} */ isKept) => {
    if (awake.isKept === isKept) return;
    awake.isKept = isKept;
    changed();
  };
  const ask = async () => {
    if (document.visibilityState !== 'visible' || !navigator.wakeLock || awake.isKept || isAsking) return;
    isAsking = true;
    try {
      const lock = await navigator.wakeLock.request('screen');
      set(true);
      lock.onrelease = () => {
        set(false);
        void ask();
      };
    } catch {
      set(false);
      setTimeout(ask, AGAIN_MS);
    }
    isAsking = false;
  };
  document.addEventListener('visibilitychange', ask);
  void ask();
  return awake;
}
