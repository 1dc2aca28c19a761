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
  const value = { ...(claim.name.trim() ? { name: claim.name } : {}), path: claim.path };
  if (claim.methods !== 'all') value.methods = claim.methods.includes(',') ? listed(claim.methods) : claim.methods;
  if (listed(claim.writes).length) value.writes = listed(claim.writes);
  if (claim.given.trim()) value.given = claim.given;
  if (claim.kind === 'never') value.never = true;
  else if (claim.kind === 'errors') value.errors = false;
  else value[claim.kind] = claim.condition;
  if (claim.kind === 'onlyIf' && claim.through) {
    value.through = /^\d+$/.test(claim.through) ? Number(claim.through) : claim.through;
  }
  if (claim.expect) value.expect = claim.expect;
  return JSON.stringify(value);
}

/// A claim of a suite in the form; null if it says more than the form has room for.
function claimFromSuite(claim) {
  const kind = Object.keys(obligations).find((one) => member(claim, one));
  const expect = member(claim, 'expect')?.text ?? 'proved';
  if (!kind || !['proved', 'violated'].includes(expect)) return null;
  const known = ['name', 'path', 'methods', 'writes', 'given', 'expect', 'through', ...Object.keys(obligations)];
  if (claim.members.some(([key]) => !known.includes(key))) return null;
  const scope = member(claim, 'methods');
  const words = scope?.elements?.map((one) => one.text) ?? [scope?.text ?? 'all'];
  if (!words.length || !words.every((one) => scopes.includes(one))) return null;
  return {
    name: member(claim, 'name')?.text ?? '', expect: expect === 'proved' ? '' : expect,
    path: member(claim, 'path')?.text ?? '', methods: words.join(', '), given: member(claim, 'given')?.text ?? '',
    writes: (member(claim, 'writes')?.elements ?? []).map((one) => one.text).join(', '), kind,
    condition: member(claim, kind).text ?? '',
    through: member(claim, 'through')?.text ?? member(claim, 'through')?.raw ?? '',
  };
}

/// Claims to begin with: what they are called, and what they say beside their path.
const claimTemplates = [
  ['Only the owner can write a field', { name: 'only the owner can write fcmToken', methods: 'write', writes: 'fcmToken' }],
  ['Only the owner can read', { name: 'only the owner can read', methods: 'read' }],
  ['Nobody who is signed out can do anything',
    { name: 'a signed-out client can do nothing', methods: 'all', given: 'request.auth == null', kind: 'never' }],
  ['A field never changes', { name: 'the role never changes', methods: 'update', writes: 'role', kind: 'never' }],
  ['Nobody can delete', { name: 'nobody can delete', methods: 'delete', kind: 'never' }],
  ['Something else', {}],
];

class ClaimsView extends View {
  constructor(root, page) {
    super(page, 'prove');
    this.list = h('ol', { class: 'claims' });
    this.left = h('p', { class: 'note' });
    this.template = h('select', { 'aria-label': 'add a claim', onchange: () => this.add(this.template.value) },
      h('option', { value: '' }, 'Add a claim…'),
      claimTemplates.map(([label], index) => h('option', { value: index }, label)));
    fill(root,
      h('p', { class: 'lead' }, 'A claim covers every request that anyone could send. It is proved, or you see a request ' +
        'that breaks it.'),
      this.left,
      h('p', { class: 'actions' },
        h('button', { type: 'button', class: 'primary', onclick: () => this.run() }, 'Prove'), this.template),
      this.results, this.list);
  }

  load() {
    const { claims, claimsLeft } = this.page.state;
    this.left.textContent = claimsLeft
      ? `${leftWords(claimsLeft, 'claim')}: the form has no room for what they say. The suite's tab runs them.` : '';
    this.left.hidden = !claimsLeft;
    this.rows = claims.map((claim, index) => this.row(claim, index));
    fill(this.list, this.rows.map(({ row }) => row));
    this.forget();
  }

  forget() {
    for (const one of this.rows ?? []) { fill(one.badge); fill(one.result); }
    super.forget();
  }

  /// Adds a claim of the list of those to begin with, about the documents of the first match block that names one.
  add(index) {
    const { page } = this;
    this.template.value = '';
    if (!claimTemplates[index]) return;
    const path = page.outline?.matches.map((one) => one.pattern).find((one) => /\/\{\w+\}$/.test(one)) ?? '/users/{uid}';
    const owner = /\{(\w+)\}$/.exec(path)[1];
    page.state.claims.push({
      ...blankClaim(), path, condition: `request.auth != null && request.auth.uid == ${owner}`, ...claimTemplates[index][1] });
    this.load();
    page.changed();
    this.list.lastElementChild.querySelector('input').focus();
  }

  row(claim, index) {
    const changed = () => { this.forget(); this.page.changed(); };
    const text = (name, label, size, placeholder = null) => h('input', {
      'aria-label': `${label} of claim ${index + 1}`, value: claim[name], size, spellcheck: 'false', placeholder,
      list: name === 'path' ? 'paths' : null,
      oninput: (event) => { claim[name] = event.target.value; changed(); } });
    const choice = (name, label, options) => h('select', { 'aria-label': `${label} of claim ${index + 1}`,
      onchange: (event) => { claim[name] = event.target.value; changed(); this.load(); } },
      options.map(([value, word]) => h('option', { value, selected: claim[name] === value }, word)));
    const badge = h('span', { class: 'verdict-of-claim' }), result = h('div', { class: 'result' });
    const row = h('li', { class: 'card' },
      h('div', { class: 'claim-head' },
        badge, text('name', 'name', 40, 'a name, as reports print it'),
        choice('expect', 'expectation', [['', 'must hold'], ['violated', 'is a known hole']]),
        h('button', { type: 'button', class: 'link', 'aria-label': `Remove claim ${index + 1}`, onclick: () => {
          this.page.state.claims.splice(index, 1);
          this.load();
          this.page.changed();
        } }, 'remove')),
      h('p', { class: 'claim-text' },
        'Requests that ', choice('methods', 'methods', [...new Set([...scopes, claim.methods])].map((one) => [one, one === 'all' ? 'do anything with' : one])), ' ',
        text('path', 'path', 20), ', that change ', text('writes', 'fields', 12, 'any field'),
        ', given ', text('given', 'assumption', 20, 'nothing'), ', are allowed ',
        choice('kind', 'obligation', Object.entries(obligations).map(([key, one]) => [key, one.words])), ' ',
        obligations[claim.kind].hasCondition ? text('condition', 'condition', 44) : '', ' ',
        claim.kind === 'onlyIf' ? choice('through', 'requests before', this.throughs(claim)) : ''),
      result);
    return { row, badge, result };
  }

  /// The choices, with a number of requests that came out of a suite.
  throughs(claim) {
    return throughs.some(([value]) => value === claim.through)
      ? throughs : [...throughs, [claim.through, `after ${plural(Number(claim.through), 'request')} of the same client, too`]];
  }

  async run() {
    const { page } = this;
    for (const one of this.rows) { fill(one.badge); fill(one.result); }
    const suite = `{"claims": [\n${page.state.claims.map(claimText).join(',\n')}\n]}`;
    const answer = await page.work(this.slot, { do: 'prove', ...page.subject, suite }, this.results);
    if (!answer) return;
    const claims = answer.value.report.suites[0].claims;
    const read = member(member(readJson(answer.text), 'report'), 'suites').elements[0];
    const raws = member(read, 'claims').elements;
    claims.forEach((claim, index) => this.show(this.rows[index], claim, raws[index]));
    const words = claimCounts(claims) + (page.state.claimsLeft ? `; ${leftWords(page.state.claimsLeft, 'claim')}` : '');
    fill(this.results, h('p', {}, words));
    announce(words + databaseWords(page.state.database));
  }

  /// Shows what came of a claim, beside it and below it.
  show(row, claim, raw) {
    const { page } = this, { tone, word } = claimVerdict(claim);
    const test = member(raw, 'counterexample');
    fill(row.badge, h('span', { class: `badge ${tone}` }, word));
    fill(row.result,
      claim.summary ? h('p', {}, prose(claim.summary), ' ', claim.line ? lineButton(claim.line, page.goToLine) : '') : '',
      (claim.notes ?? []).map((note) => h('p', { class: 'note' }, prose(note))),
      claim.checked === false ? h('p', { class: 'note' }, 'Not checked: ', prose(claim.uncheckedBecause)) : '',
      (claim.statements ?? []).length ? h('ul', {}, claim.statements.map((one) => h('li', {},
        lineButton(one.line, page.goToLine), ` (${one.methods.join(', ')}) `,
        one.because.length ? ['is safe because of ', ...one.because.map((part) => [h('code', {}, part), ' '])] : 'is safe'))) : '',
      (claim.reasons ?? []).map((one) => h('p', {}, prose(one.reason), ' ', one.line ? lineButton(one.line, page.goToLine) : '')),
      member(test, 'steps') ? page.sequence(claim.counterexample.steps, test.raw)
        : test ? page.loadButton(test, 'Load this request') : '');
  }
}

/// How many claims came out how: "3 claims: 2 proved, 1 violated as expected".
function claimCounts(claims) {
  const words = claims.map((one) => one.verdict + (one.checked === false ? ' but not checked' : '') + (one.verdict !== 'proved' && one.passed ? ' as expected' : ''));
  const counts = [...new Set(words)].map((word) => `${words.filter((one) => one === word).length} ${word}`);
  return `${plural(claims.length, 'claim')}${counts.length ? `: ${counts.join(', ')}` : ''}`;
}

/// The word for what came of a claim, and its colour: a hole that is known is none to be alarmed at.
function claimVerdict({ verdict, passed }) {
  if (verdict === 'violated') {
    return passed ? { tone: 'expected', word: '✗ VIOLATED, as expected' } : { tone: 'deny', word: '✗ VIOLATED' };
  }
  if (verdict === 'proved') return passed ? { tone: 'allow', word: '✓ PROVED' } : { tone: 'deny', word: '✓ PROVED, a hole was expected' };
  return { tone: 'open', word: verdict === 'vacuous' ? '? VACUOUS' : '? UNDECIDED' };
}
