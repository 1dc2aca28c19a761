// Claims about all requests, in a form that reads as a sentence.

const obligations = {
  onlyIf: { words: 'only if', hasCondition: true }, alwaysIf: { words: 'always if', hasCondition: true },
  never: { words: 'never' }, errors: { words: 'without errors' },
  keeps: { words: 'only so that it stays true that', hasCondition: true },
};
/// For `onlyIf`: what else the same client may have done before.
const throughs = [['', 'whatever is stored'], ['any', 'after any requests of the same client, too']];
const scopes = ['all', 'read', 'write', 'get', 'list', 'create', 'update', 'delete'];

/// A claim as text of a suite.
function claimText(claim) {
  const value = { path: claim.path };
  if (claim.methods !== 'all') value.methods = claim.methods.includes(',') ? listed(claim.methods) : claim.methods;
  if (listed(claim.writes).length) value.writes = listed(claim.writes);
  if (claim.given.trim()) value.given = claim.given;
  if (claim.kind === 'never') value.never = true;
  else if (claim.kind === 'errors') value.errors = false;
  else value[claim.kind] = claim.condition;
  if (claim.kind === 'onlyIf' && claim.through) {
    value.through = /^\d+$/.test(claim.through) ? Number(claim.through) : claim.through;
  }
  return JSON.stringify(value);
}

/// A claim of a suite in the form; null if it says more than the form has room for.
function claimFromSuite(claim) {
  const kind = Object.keys(obligations).find((one) => member(claim, one));
  if (!kind || (member(claim, 'expect')?.text ?? 'proved') !== 'proved') return null;
  const known = ['name', 'path', 'methods', 'writes', 'given', 'expect', 'through', ...Object.keys(obligations)];
  if (claim.members.some(([key]) => !known.includes(key))) return null;
  const scope = member(claim, 'methods');
  const words = scope?.elements?.map((one) => one.text) ?? [scope?.text ?? 'all'];
  if (!words.length || !words.every((one) => scopes.includes(one))) return null;
  return {
    path: member(claim, 'path')?.text ?? '', methods: words.join(', '), given: member(claim, 'given')?.text ?? '',
    writes: (member(claim, 'writes')?.elements ?? []).map((one) => one.text).join(', '), kind,
    condition: member(claim, kind).text ?? '',
    through: member(claim, 'through')?.text ?? member(claim, 'through')?.raw ?? '',
  };
}

class ClaimsView extends View {
  constructor(root, page) {
    super(page, 'prove');
    this.list = h('ol', { class: 'claims' });
    root.replaceChildren(
      h('p', { class: 'lead' }, 'A claim is about every request that anybody could ever send. It is proved, or a ' +
        'request is shown that breaks it.'),
      this.list,
      h('p', { class: 'actions' },
        h('button', { type: 'button', class: 'primary', onclick: () => this.run() }, 'Prove'),
        h('button', { type: 'button', onclick: () => { page.state.claims.push(blankClaim()); this.load(); page.changed(); } },
          'Add a claim')),
      this.results);
  }

  load() {
    this.list.replaceChildren(...this.page.state.claims.map((claim, index) => this.row(claim, index)));
    this.forget();
  }

  row(claim, index) {
    const changed = () => { this.forget(); this.page.changed(); };
    const text = (name, label, size) => h('input', {
      'aria-label': label, value: claim[name], size, spellcheck: 'false', list: name === 'path' ? 'paths' : null,
      oninput: (event) => { claim[name] = event.target.value; changed(); } });
    const choice = (name, label, options) => h('select', { 'aria-label': label,
      onchange: (event) => { claim[name] = event.target.value; changed(); this.load(); } },
      options.map(([value, word]) => h('option', { value, selected: claim[name] === value }, word)));
    return h('li', {},
      'Requests that ', choice('methods', 'methods', [...new Set([...scopes, claim.methods])].map((one) => [one, one === 'all' ? 'do anything with' : one])), ' ',
      text('path', 'path', 24), ', that change ', text('writes', 'fields, empty for any', 14),
      ' (any if empty), given ', text('given', 'assumption, may be empty', 24), ', are allowed ',
      choice('kind', 'obligation', Object.entries(obligations).map(([key, one]) => [key, one.words])), ' ',
      obligations[claim.kind].hasCondition ? text('condition', 'condition', 48) : '', ' ',
      claim.kind === 'onlyIf' ? choice('through', 'requests before', this.throughs(claim)) : '', ' ',
      h('button', { type: 'button', class: 'link', 'aria-label': `Remove claim ${index + 1}`, onclick: () => {
        this.page.state.claims.splice(index, 1);
        this.load();
        this.page.changed();
      } }, 'remove'));
  }

  /// The choices, with a number of requests that came out of a suite.
  throughs(claim) {
    return throughs.some(([value]) => value === claim.through)
      ? throughs : [...throughs, [claim.through, `after ${plural(Number(claim.through), 'request')} of the same client, too`]];
  }

  async run() {
    const { page } = this;
    const suite = `{"claims": [\n${page.state.claims.map(claimText).join(',\n')}\n]}`;
    const answer = await page.work(this.slot, { do: 'prove', ...page.subject, suite }, this.results);
    if (!answer) return;
    const claims = answer.value.report.suites[0].claims;
    const read = member(member(readJson(answer.text), 'report'), 'suites').elements[0];
    const raws = member(read, 'claims').elements;
    this.results.replaceChildren(...claims.map((claim, index) => this.result(claim, raws[index])));
    const counts = ['proved', 'violated', 'undecided', 'vacuous']
      .map((word) => [claims.filter((one) => one.verdict === word).length, word]);
    announce(`${plural(claims.length, 'claim')}: ` +
      counts.filter(([count]) => count).map(([count, word]) => `${count} ${word}`).join(', ')
      + databaseWords(page.state.database));
  }

  result(claim, raw) {
    const { page } = this;
    const mark = { proved: ['allow', '✓ PROVED'], violated: ['deny', '✗ VIOLATED'], vacuous: ['open', '? VACUOUS'] };
    const [tone, word] = mark[claim.verdict] ?? ['open', '? UNDECIDED'];
    const test = member(raw, 'counterexample');
    return h('section', { class: 'card' },
      h('h3', {}, h('span', { class: `badge ${tone}` }, word), ' ', claim.name),
      claim.summary ? h('p', {}, prose(claim.summary), ' ', claim.line ? lineButton(claim.line, page.goToLine) : '') : '',
      (claim.notes ?? []).map((note) => h('p', { class: 'note' }, prose(note))),
      (claim.statements ?? []).length ? h('ul', {}, claim.statements.map((one) => h('li', {},
        lineButton(one.line, page.goToLine), ` (${one.methods.join(', ')}) `,
        one.because.length ? ['is safe because of ', ...one.because.map((part) => [h('code', {}, part), ' '])] : 'is safe'))) : '',
      (claim.reasons ?? []).map((one) => h('p', {}, prose(one.reason), ' ', one.line ? lineButton(one.line, page.goToLine) : '')),
      member(test, 'steps') ? page.sequence(claim.counterexample.steps, test.raw)
        : test ? page.loadButton(test, 'Load this request') : '',
      h('p', { class: 'small' }, `${claim.milliseconds} ms`));
  }
}
