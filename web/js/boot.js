// The first script of every page, written for browsers that cannot read the others. It sets the theme, and as long as
// the page does not stand it says why, and tries again: `#start` holds the sentences, and core/start.js removes it.
(function () {
  var AGAIN_MS = 3000;
  var LONGEST_AGAIN_MS = 30000;
  var SLOW_MS = 8000;
  var STYLES_SLOW_MS = 4000;
  var GIVE_UP_MS = 30000;
  var root = document.documentElement;
  var isWaiting = false;

  try {
    var theme = localStorage.getItem('bookboard.theme.' + root.getAttribute('data-theme-of'));
    if (theme) root.setAttribute('data-theme', theme.replace(/"/g, ''));
  } catch (error) {
    // A browser that keeps nothing starts as the page says.
  }

  function isTooOld() {
    return (
      !('noModule' in document.createElement('script')) ||
      !Object.hasOwn ||
      !Array.prototype.at ||
      !window.structuredClone
    );
  }

  function stands() {
    return root.getAttribute('data-page') === 'running' && !document.getElementById('start');
  }

  /** @param {string} id */
  function show(id) {
    var start = document.getElementById('start');
    if (!start) return stands() ? undefined : showCut();
    [].forEach.call(start.children, function (/** @type {Element} */ each) {
      if (each.id === id) each.removeAttribute('hidden');
      else each.setAttribute('hidden', '');
    });
  }

  // The page's own text came without its sentences.
  function showCut() {
    if (document.body.querySelector('[role=alert]')) return;
    var said = document.createElement('p');
    said.setAttribute('role', 'alert');
    said.textContent = 'Only a part of this page has come. It is being loaded again; if it stays like this, reload it.';
    document.body.appendChild(said);
  }

  /** @param {() => void} act */
  function onceParsed(act) {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', act);
    else act();
  }

  // How often this page has failed to start, for longer and longer pauses.
  /** @param {number} change */
  function failures(change) {
    try {
      var count = Number(sessionStorage.getItem('bookboard.failures') || 0) + change;
      sessionStorage.setItem('bookboard.failures', String(count));
      return count;
    } catch (error) {
      return 1;
    }
  }

  function failed() {
    if (stands() || isWaiting || isTooOld()) return;
    isWaiting = true;
    onceParsed(function () {
      show('trying');
    });
    setTimeout(reloadIfThere, Math.min(LONGEST_AGAIN_MS, AGAIN_MS * Math.pow(2, failures(1) - 1)));
  }

  // Reloaded while the server is away, this page would be gone, and with it whoever tries again.
  function reloadIfThere() {
    if (stands()) return;
    var request = new XMLHttpRequest();
    request.onloadend = function () {
      var isThere = /id="start"[^]*<\/html>\s*$/.test(request.responseText);
      if (request.status === 200 && isThere && !stands()) location.reload();
      else setTimeout(reloadIfThere, AGAIN_MS);
    };
    request.open('GET', location.pathname + location.search);
    request.timeout = SLOW_MS;
    request.send();
  }

  // A style sheet that is missing or cut is asked for again; one that comes late must not keep the page blank meanwhile,
  // and only those in the page's own text do that.
  function mendStyles() {
    [].forEach.call(document.querySelectorAll('link[rel=stylesheet]'), function (/** @type {HTMLLinkElement} */ link) {
      if (!isWhole(link.sheet)) replaceStyle(link);
    });
  }

  // The last rule of each style sheet says that it is the last.
  /** @param {CSSStyleSheet | null} sheet */
  function isWhole(sheet) {
    try {
      var last = sheet && sheet.cssRules[sheet.cssRules.length - 1];
      return Boolean(last) && /** @type {CSSRule} */ (last).cssText.indexOf('#end-of-sheet') === 0;
    } catch (error) {
      return false; // a sheet whose request failed does not let itself be read
    }
  }

  /** @param {HTMLLinkElement} link */
  function replaceStyle(link) {
    var again = document.createElement('link');
    again.rel = 'stylesheet';
    again.href = link.href.split('?')[0] + '?again=' + Date.now();
    again.onerror = function () {
      setTimeout(replaceStyle, AGAIN_MS, again);
    };
    again.onload = function () {
      if (!isWhole(again.sheet)) setTimeout(replaceStyle, AGAIN_MS, again);
    };
    if (link.parentNode) link.parentNode.replaceChild(again, link);
  }

  function failedToLoad() {
    if (root.getAttribute('data-page') !== 'running') failed();
  }

  window.addEventListener(
    'error',
    function (event) {
      if (!(event.target instanceof HTMLLinkElement)) failed();
    },
    true,
  );
  window.addEventListener('unhandledrejection', failed);
  window.addEventListener('load', function () {
    mendStyles();
    failedToLoad();
  });
  setTimeout(mendStyles, STYLES_SLOW_MS);
  setTimeout(function () {
    if (!isTooOld()) show('trying');
  }, SLOW_MS);
  setTimeout(failedToLoad, GIVE_UP_MS);
  onceParsed(function () {
    var again = document.getElementById('again');
    if (again)
      again.onclick = function () {
        location.reload();
      };
    if (isTooOld()) {
      root.setAttribute('data-page', 'too-old');
      show('too-old');
    }
  });
})();
