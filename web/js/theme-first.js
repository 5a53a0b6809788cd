// A classic script, run before the page is drawn, so that a dark room never sees a white flash.
(() => {
  const root = document.documentElement;
  try {
    root.dataset['theme'] = localStorage.getItem('bookboard.theme') ?? root.dataset['theme'] ?? 'system';
  } catch {
    root.dataset['theme'] ??= 'system';
  }
})();
