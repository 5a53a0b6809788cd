/** Whether somebody is at the mouse: then the display shows its few controls. */

const SHOWN_MS = 3_000;

/**
 * @param {() => void} changed
 * @returns {{isMoving: boolean}}
 */
export function watchPointer(changed) {
  const pointer = { isMoving: false };
  let timer = 0;
  addEventListener('pointermove', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      pointer.isMoving = false;
      changed();
    }, SHOWN_MS);
    if (pointer.isMoving) return;
    pointer.isMoving = true;
    changed();
  });
  return pointer;
}
