// The verdict on a request: the decision, the statement that decided, what would have to change, and the
// condition with the value of every part below it; for screen readers the same as a nested list.

function showVerdict(root, test, picture, goToLine, place) {
  const isAllowed = test.decision === 'allow';
  const isUndecided = test.decision === 'unsupported';
  const word = isUndecided ? 'UNSUPPORTED' : isAllowed ? 'ALLOW' : 'DENY';
  const decided = isAllowed ? test.tried.find((one) => one.outcome === 'true') : null;
  const who = test.as ?? 'nobody (signed out)';
  const sentence = `${test.method} ${test.path} as ${who}${databaseWords(test.database)}`;
  root.replaceChildren(
    h('p', { class: `verdict ${isUndecided ? 'open' : isAllowed ? 'allow' : 'deny'}`, id: 'verdict-word' },
      h('span', { 'aria-hidden': 'true' }, isUndecided ? '? ' : isAllowed ? '✓ ' : '✗ '), word),
    h('p', { class: 'asked' }, sentence, decided ? [', because of ', lineButton(decided.line, goToLine)] : ''),
    isUndecided ? h('p', {}, (test.failures ?? []).join('; ')) : '',
    place ? h('p', { class: 'note' }, place) : '',
    reasons(test, goToLine),
    (test.notes ?? []).map((note) => h('p', { class: 'note' }, 'Note: ', prose(note))),
    picture ? h('figure', {}, h('figcaption', {}, 'The condition, with the value of every part'),
      h('pre', { class: 'picture', 'aria-hidden': 'true', tabindex: '-1' }, picture)) : '',
    statements(test, goToLine),
    test.denial ? h('p', { class: 'small' }, `The emulator says: ${test.denial}`) : '',
    h('p', { class: 'small' },
      `${plural(test.cost.expressions, 'expression')}, ${plural(test.cost.lookups, 'document lookup')}`));
  return `${word}: ${sentence}`;
}

/// The database at the end of a sentence; nothing for `(default)`.
const databaseWords = (name) => (name && name !== '(default)' ? `, database ${name}` : '');

function lineButton(line, goToLine, text = `line ${line}`) {
  return h('button', { type: 'button', class: 'link', onclick: () => goToLine(line) }, text);
}

function reasons(test, goToLine) {
  const list = (test.why ?? []).map((sentence) => {
    const place = /\((\d+):\d+\)$/.exec(sentence);
    return h('li', {}, place
      ? [prose(sentence.slice(0, place.index)), lineButton(Number(place[1]), goToLine)] : prose(sentence));
  });
  const nearest = test.nearest
    ? h('p', {}, prose(test.nearest.message), ' ', lineButton(test.nearest.line, goToLine)) : '';
  return list.length || nearest ? h('div', { class: 'why' }, h('h3', {}, 'Why'), h('ul', {}, list), nearest) : '';
}

function statements(test, goToLine) {
  if (!test.tried?.length) return '';
  const items = test.tried.map((one) => h('li', {},
    lineButton(one.line, goToLine), ` ${{ true: 'grants', false: 'does not grant', error: 'ends in an error' }[one.outcome]}`,
    one.message ? `: ${one.message}` : '', one.values?.length ? valueTree(one.values) : '',
    (one.calls ?? []).map(callTree)));
  return h('details', { class: 'values' }, h('summary', {}, 'Statements and values as a list'), h('ol', {}, items));
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
