// A classic script, run before the page is drawn, so that a dark room never sees a white flash.
// A projector has a theme of its own: `data-theme-of` says whose this page's is, `data-theme` what it is at first.
(() => {
  const { dataset } = document.documentElement;
  try {
    dataset['theme'] = localStorage.getItem(`bookboard.theme.${dataset['themeOf']}`) ?? dataset['theme'];
  } catch {
    // A browser that keeps nothing starts as the page says.
  }
})();
