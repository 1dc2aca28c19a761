// Runs the scripts of the page, whose text the policy knows, as soon as they are unpacked.
scripts.then((text) => {
  const script = document.createElement('script');
  script.textContent = text;
  document.body.append(script);
}, () => {
  const notice = document.getElementById('notice');
  notice.textContent = 'This browser is too old for this page: it cannot unpack its scripts.';
  notice.hidden = false;
});
