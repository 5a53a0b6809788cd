// For browsers that cannot read the pages' scripts, so written in what they can read.
(function () {
  function tell() {
    var notice = document.getElementById('too-old');
    if (notice) notice.removeAttribute('hidden');
  }
  window.addEventListener('error', function (event) {
    if (/SyntaxError/.test(event.message)) tell();
  });
  window.addEventListener('load', function () {
    if (!('noModule' in document.createElement('script'))) tell();
  });
})();
