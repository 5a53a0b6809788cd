// Run only by browsers without modules; written for them.
var notice = document.getElementById('too-old');
if (notice) notice.removeAttribute('hidden');
