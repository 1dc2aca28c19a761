// The verdict on a request: the decision, the statement that decided and the first reason, which stay in sight; and
// below the form what would have to change, and the condition with the value of every part below it; for screen
// readers the same as a nested list.

function showVerdict(root, more, test, picture, goToLine, place) {
  const isAllowed = test.decision === 'allow';
  const isUndecided = test.decision === 'unsupported';
  const word = isUndecided ? 'UNSUPPORTED' : isAllowed ? 'ALLOW' : 'DENY';
  const decided = isAllowed ? test.tried.find((one) => one.outcome === 'true') : null;
  const who = test.as ?? 'nobody (signed out)';
  const sentence = `${test.method} ${test.path} as ${who}${databaseWords(test.database)}`;
  const [first, ...rest] = whySentences(test, goToLine);
  fill(root,
    h('p', { class: `verdict ${isUndecided ? 'open' : isAllowed ? 'allow' : 'deny'}`, id: 'verdict-word' },
      h('span', { 'aria-hidden': 'true' }, isUndecided ? '? ' : isAllowed ? '✓ ' : '✗ '), word),
    h('p', { class: 'asked' }, sentence, decided ? [', because of ', lineButton(decided.line, goToLine)] : ''),
    isUndecided ? h('p', {}, (test.failures ?? []).join('; ')) : '',
    first ? h('p', { class: 'why' }, first) : '',
    place ? h('p', { class: 'note' }, place) : '');
  showBar(isUndecided ? 'open' : isAllowed ? 'allow' : 'deny', word, sentence);
  // A list that was opened stays open.
  const isOpen = more.querySelector('details.values')?.open || (!picture && !fittingColumns());
  fill(more,
    rest.length || test.nearest ? h('h3', {}, 'What would have to change') : '',
    rest.length ? h('ul', {}, rest.map((one) => h('li', {}, one))) : '',
    test.nearest ? h('p', {}, prose(test.nearest.message), ' ', lineButton(test.nearest.line, goToLine)) : '',
    (test.notes ?? []).map((note) => h('p', { class: 'note' }, 'Note: ', prose(note))),
    picture ? h('figure', {}, h('figcaption', {}, 'The condition, with the value of every part'),
      h('pre', { class: 'picture', 'aria-hidden': 'true', tabindex: '-1' }, painted(picture))) : '',
    statements(test, goToLine, isOpen),
    test.denial ? h('p', { class: 'small' }, `The emulator says: ${test.denial}`) : '',
    h('p', { class: 'small' },
      `${plural(test.cost.expressions, 'expression')}, ${plural(test.cost.lookups, 'document lookup')}`));
  return `${word}: ${sentence}`;
}

/// Shows the verdict where it stays in sight in a window that has no room for two halves. It is there to be seen: for
/// screen readers the verdict is that of the request.
function showBar(tone, word, sentence) {
  fill(byId('verdict-bar'), h('span', { class: `verdict ${tone}` }, word), sentence);
}

/// The database at the end of a sentence; nothing for `(default)`.
const databaseWords = (name) => (name && name !== '(default)' ? `, database ${name}` : '');

function lineButton(line, goToLine, text = `line ${line}`) {
  return h('button', { type: 'button', class: 'link', onclick: () => goToLine(line) }, text);
}

/// The reasons of a decision, with the places that they name as buttons.
function whySentences(test, goToLine) {
  return (test.why ?? []).map((sentence) => {
    const place = /\((\d+):\d+\)$/.exec(sentence);
    return place
      ? [prose(sentence.slice(0, place.index)), lineButton(Number(place[1]), goToLine)] : prose(sentence);
  });
}

/// How many columns of a picture fit beside the rules; 0 if they are too few for one.
function fittingColumns() {
  const panel = byId('panel-request'), isWide = matchMedia('(min-width: 801px)').matches;
  const room = (panel.clientWidth || panel.parentElement.clientWidth - 16) - (isWide ? 32 : 20);
  const probe = h('pre', { class: 'picture hidden' }, 'x'.repeat(100));
  document.body.append(probe);
  const columns = Math.floor((room - 20) / (probe.scrollWidth / 100 || 8.3));
  probe.remove();
  return columns < 40 ? 0 : Math.min(columns, 160);
}

function statements(test, goToLine, isOpen) {
  if (!test.tried?.length) return '';
  const items = test.tried.map((one) => h('li', {},
    lineButton(one.line, goToLine), ` ${{ true: 'grants', false: 'does not grant', error: 'ends in an error' }[one.outcome]}`,
    one.message ? `: ${one.message}` : '', one.values?.length ? valueTree(one.values) : '',
    (one.calls ?? []).map(callTree)));
  return h('details', { class: 'values', open: isOpen }, h('summary', {}, 'Statements and values as a list'), h('ol', {}, items));
}

/// Parts inside parts, by where they stand.
function valueTree(values) {
  const size = (one) => one.endOffset - one.offset;
  const sorted = [...values].sort((a, b) => a.offset - b.offset || size(b) - size(a));
  const root = h('ul', {}), open = [{ end: Infinity, list: root }];
  for (const one of sorted) {
    while (one.offset > open.at(-1).end) open.pop();
    const list = h('ul', {});
    const value = one.outcome === 'skipped' ? 'not evaluated'
      : one.outcome === 'error' ? `error: ${one.message}` : one.text;
    open.at(-1).list.append(h('li', {}, h('code', {}, one.expression), ` is ${value}`, list));
    open.push({ end: one.endOffset, list });
  }
  for (const list of root.querySelectorAll('ul:empty')) list.remove();
  return root;
}

/// What happened in a function.
function callTree(call) {
  return h('details', {}, h('summary', {}, `inside ${call.function}()`),
    call.values?.length ? valueTree(call.values) : '', (call.calls ?? []).map(callTree));
}
