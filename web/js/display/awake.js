/** Keeping the screen on, where the browser lets a page do that: over HTTPS only. */

/**
 * @param {() => void} changed
 * @returns {{isKept: boolean}}
 */
export function keepAwake(changed) {
  const awake = { isKept: false };
  const ask = async () => {
    if (document.visibilityState !== 'visible' || !navigator.wakeLock) return;
    try {
      const lock = await navigator.wakeLock.request('screen');
      awake.isKept = true;
      lock.onrelease = () => {
        awake.isKept = false;
        changed();
      };
    } catch {
      awake.isKept = false;
    }
    changed();
  };
  document.addEventListener('visibilitychange', ask);
  void ask();
  return awake;
}
