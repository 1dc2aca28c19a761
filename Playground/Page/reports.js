// The access matrix, the comparison with older rules, and suites.

const answerWords = {
  never: ['never', '–'], always: ['always', '●'], onlyIf: ['only if', '◐'], undecided: ['undecided', '?'],
};

class MatrixView extends View {
  constructor(root, page) {
    super(page, 'audit');
    fill(root,
      h('p', { class: 'lead' }, 'Who can do what, for all requests. A cell opens its reasons, with a request that is ' +
        'allowed and one that is denied.'),
      h('p', { class: 'actions' },
        h('label', { for: 'field' }, 'Who can write the field'),
        this.field = h('input', { type: 'text', id: 'field', size: 14, list: 'fields', spellcheck: 'false', autocapitalize: 'off',
          placeholder: 'all fields',
          onfocus: () => this.suggest(),
          onkeydown: (event) => { if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) this.run(); },
          oninput: () => { page.state.field = this.field.value; this.forget(); page.changed(); } }),
        this.fields = h('datalist', { id: 'fields' }),
        h('button', { type: 'button', class: 'primary', onclick: () => this.run() }, 'Make the matrix')),
      this.results);
  }

  load() {
    this.field.value = this.page.state.field;
    this.forget();
  }

  /// Offers the fields that the rules seem to name.
  suggest() {
    const names = [...this.page.state.rules.matchAll(/\bdata\.([A-Za-z_]\w*)|'([A-Za-z_]\w*)'/g)].map((one) => one[1] ?? one[2]);
    fill(this.fields, [...new Set(names)].slice(0, 100).map((value) => h('option', { value })));
  }

  async run() {
    const { page } = this, field = page.state.field.trim();
    const answer = await page.work(
      this.slot, { do: 'audit', ...page.subject, now: Date.now(), ...(field ? { field } : {}) }, this.results);
    if (!answer) return;
    const { writers, legend } = answer.value;
    // The colour of an answer says who is let in, as in the reports of the program.
    this.styles = Object.fromEntries(legend);
    const raw = member(readJson(answer.text), 'report'), raws = member(raw, 'paths').elements;
    const { paths, findings = [], escalations = [] } = answer.value.report;
    const none = field
      ? [h('p', {}, 'No rule names the field ', h('code', {}, field), ', and no client can write it.')]
      : [h('p', {}, 'No statement is about any document: every request is denied.')];
    fill(this.results,
      writers.length ? h('ul', { class: 'headlines' }, writers.map((one) => h('li', {}, prose(one), '.'))) : '',
      paths.length ? h('p', { class: 'legend' }, 'Colour says who is let in: ',
        legend.map(([, style, words]) => [h('span', { class: `key in-${style}` }, words), ' '])) : '',
      paths.length ? paths.map((path, index) => this.table(path, raws[index])) : none,
    this.escalations(escalations, member(raw, 'escalations')?.elements ?? []),
    findings.length ? h('section', { class: 'card' }, h('h3', {}, 'What stands out'), h('ul', {}, findings.map((one) =>
      h('li', {}, one.weight === 'note' ? '' : `${one.weight}: `, one.path ? h('code', {}, one.path) : '', ' ', prose(one.message))))) : '');
    const holes = escalations.filter((one) => !one.stable).length;
    const [first] = this.results.querySelectorAll('.headlines li');
    announce((first?.textContent ?? `the matrix has ${plural(paths.length, 'path')}`) + (holes ? `; ${plural(holes, 'condition')} can be made true` : ''));
  }

  /// Conditions on stored data that clients can make true by their own requests, and those that they cannot.
  escalations(found, raws) {
    if (!found.length) return '';
    return h('section', { class: 'card' }, h('h3', {}, 'What clients can make true'), found.map((one, index) => {
      const part = (key) => member(raws[index], key)?.raw ?? (key === 'steps' ? '[]' : '{}');
      const text = `{ "name": ${JSON.stringify(one.message)}, "documents": ${part('documents')}, "steps": ${part('steps')} }`;
      return h('div', {},
        h('p', {}, h('span', { class: `badge ${one.stable ? 'allow' : one.level === 'alarm' ? 'deny' : 'caution'}` },
          one.stable ? '✓ STABLE' : one.level === 'alarm' ? '✗ ALARM' : '? NOTE'),
        ' ', h('code', {}, one.path), ' ', lineButton(one.line, this.page.goToLine), ': ', prose(one.message)),
        (one.steps ?? []).length ? this.page.sequence(one.steps, text) : '');
    }));
  }

  table(path, raw) {
    const rawAnswers = member(raw, 'answers').elements;
    const operations = [...new Set(path.answers.map((one) => one.operation))];
    const clients = path.clients.map((one) => one.client);
    const detail = h('div', { class: 'detail', 'aria-live': 'polite' });
    const cell = (operation, client) => {
      const index = path.answers.findIndex((one) => one.operation === operation && one.client === client);
      if (index < 0) return h('td', {}, '–');
      const answer = path.answers[index];
      const [word, sign] = answerWords[answer.answer] ?? [answer.answer, '?'];
      return h('td', { class: `a-${answer.answer} in-${this.styles[answer.exposure]}` }, h('button', { type: 'button', class: 'cell',
        'aria-label': `${client}: ${operation}: ${word}`,
        onclick: () => fill(detail, this.detail(answer, rawAnswers[index], word)) },
      h('span', { 'aria-hidden': 'true' }, `${sign} `), word));
    };
    return h('section', { class: 'card' }, h('h3', {}, path.path),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `access to ${path.path}` },
        h('table', {},
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'operation'), clients.map((one) => h('th', { scope: 'col' }, one)))),
          h('tbody', {}, operations.map((operation) => h('tr', {},
            h('th', { scope: 'row' }, operation), clients.map((client) => cell(operation, client))))))),
      detail);
  }

  detail(answer, raw, word) {
    const { page } = this;
    const witness = (key, label) => {
      const found = answer[key];
      if (!found) return '';
      return h('div', { class: 'actions' }, h('span', {}, `${label}: ${found.summary}`),
        page.loadButton(member(member(raw, key), 'test'), 'Load this request'));
    };
    return h('div', { class: 'opened' }, h('h4', {}, `${answer.client}: ${answer.operation}: ${word}`),
      (answer.because ?? []).length ? h('ul', {}, answer.because.map((one) => h('li', {},
        lineButton(one.line, page.goToLine), ' grants nothing because of ',
        one.conditions.map((part) => [h('code', {}, part), ' '])))) : '',
      answer.answer === 'never' && !(answer.because ?? []).length ? h('p', {}, 'No statement is for it.') : '',
      (answer.onlyIf ?? []).length ? h('ul', {}, answer.onlyIf.map((one) => h('li', {},
        h('code', {}, one.condition), one.queries ? ` for queries ${one.queries}` : '', ' ',
        one.line ? lineButton(one.line, page.goToLine) : ''))) : '',
      (answer.reasons ?? []).map((one) => h('p', {}, one.reason ?? String(one))),
      witness('allowed', 'Allowed'), witness('denied', 'Denied'));
  }
}

/// Colours of changes: who is let in that was not, or is not any more.
const changeTones = { loosened: 'deny', tightened: 'allow', changed: 'deny', undecided: 'open' };

class DiffView extends View {
  constructor(root, page) {
    super(page, 'diff');
    this.old = h('textarea', { rows: 9, spellcheck: 'false', wrap: 'off', class: 'code',
      oninput: () => { page.state.old = this.old.value; this.forget(); page.changed(); } });
    fill(root,
      h('p', { class: 'lead' }, 'Paste the older rules. Each difference in access comes with a request that shows it.'),
      labelled('Rules before', this.old),
      h('p', { class: 'actions' },
        h('button', { type: 'button', class: 'primary', onclick: () => this.run() }, 'Compare'),
        h('button', { type: 'button', onclick: () => { page.state.old = page.state.rules; this.load(); page.changed(); } },
          'Copy the current rules'),
        h('button', { type: 'button', onclick: () => this.swap() }, 'Swap'),
        h('button', { type: 'button', onclick: () => this.file.click() }, 'Open…')),
      this.file = h('input', { type: 'file', accept: '.rules,text/plain', class: 'hidden', tabindex: '-1', 'aria-label': 'rules before, a file',
        onchange: () => this.open() }),
      this.results);
  }

  swap() {
    const { page } = this, { old, rules } = page.state;
    page.state.old = rules;
    page.editor.replace(0, page.editor.text.length, old);
    this.load();
  }

  async open() {
    const [file] = this.file.files;
    if (!file) return;
    if (file.size > 4_000_000) { announce('the file is larger than 4 MB'); return; }
    this.page.state.old = plainLines(await file.text());
    this.file.value = '';
    this.load();
    this.page.changed();
    this.run();
  }

  load() { this.old.value = this.page.state.old; this.forget(); }

  async run() {
    const { page } = this;
    if (!page.state.old.trim()) {
      this.complain('Paste the older rules above first.');
      this.old.focus();
      return;
    }
    const answer = await page.work(
      this.slot, { do: 'diff', old: page.state.old, ...page.subject }, this.results);
    if (!answer) return;
    const [file] = answer.value.report.files;
    const rawPaths = member(member(member(readJson(answer.text), 'report'), 'files').elements[0], 'paths').elements;
    const cards = file.paths.flatMap((path, index) => this.path(path, rawPaths[index]));
    const isSame = file.paths.every((path) => path.methods.every((one) => one.verdict === 'equivalent'));
    const kinds = file.paths.flatMap((path) => path.differences ?? []).map((one) => one.kind);
    const count = (kind) => kinds.filter((one) => one === kind).length;
    const isOpen = file.paths.some((path) => path.methods.some((one) => one.verdict === 'undecided' || one.complete === false));
    const headline = (count('loosened') ? `${count('loosened')} loosened` : isOpen ? 'Nothing is known to be loosened' : 'Allows nothing new')
      + `, ${count('tightened')} tightened${isOpen ? '; not all could be decided' : ''}.`;
    fill(this.results, isSame
      ? h('p', {}, h('span', { class: 'badge allow' }, '✓ EQUIVALENT'), ' Every request gets the same decision.')
      : [h('h3', {}, headline), this.table(file.paths), cards]);
    announce(isSame ? 'the versions are equivalent' : headline);
  }

  /// A table of the change of each method of each path.
  table(paths) {
    const methods = [...new Set(paths.flatMap((path) => path.methods.map((one) => one.method)))];
    return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'methods of each path' }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'path'), methods.map((one) => h('th', { scope: 'col' }, one)))),
      h('tbody', {}, paths.map((path) => h('tr', {}, h('th', { scope: 'row' }, path.path), methods.map((method) => {
        const verdict = path.methods.find((one) => one.method === method)?.verdict ?? '';
        return h('td', {}, verdict && verdict !== 'equivalent'
          ? h('span', { class: `badge ${changeTones[verdict] ?? 'open'}` }, verdict) : verdict === 'equivalent' ? 'as before' : '');
      }))))));
  }

  path(path, raw) {
    const { page } = this;
    const rawDifferences = member(raw, 'differences')?.elements ?? [];
    const open = path.methods.filter((one) => one.verdict === 'undecided' || one.complete === false);
    const cards = (path.differences ?? []).map((one, index) => h('section', { class: 'card' },
      h('h3', {}, h('span', { class: `badge ${changeTones[one.kind] ?? 'open'}` }, one.kind.toUpperCase()),
        ' ', prose(one.sentence)),
      one.requests.map((request, place) => {
        const test = member(member(rawDifferences[index], 'requests').elements[place], 'test');
        const lines = (all) => (all.length ? `line ${all.join(', ')}` : 'no statement');
        return h('p', { class: 'actions' },
          h('span', {}, `${request.summary}: before ${lines(request.oldLines ?? [])}, now ${lines(request.newLines ?? [])}`),
          test ? page.loadButton(test, `Load the ${request.method} that shows it`) : '');
      })));
    if (open.length) {
      cards.push(h('p', { class: 'note' },
        `${path.path}: there may be more differences in ${open.map((one) => one.method).join(', ')}; not all could be decided.`));
    }
    return cards;
  }
}

class SuiteView extends View {
  constructor(root, page) {
    super(page, 'suite');
    this.area = h('textarea', { rows: 16, spellcheck: 'false', wrap: 'off', class: 'code',
      oninput: () => { page.state.suite = this.area.value; this.forget(); page.changed(); } });
    this.file = h('input', { type: 'file', accept: '.json', class: 'hidden', tabindex: '-1', 'aria-label': 'suite file',
      onchange: () => this.open() });
    fill(root,
      h('p', { class: 'lead' }, prose('The file that `rules-check test` runs. Write it from your requests and claims, or open one.')),
      labelled('Suite', this.area), this.file,
      h('p', { class: 'actions' },
        h('button', { type: 'button', class: 'primary', onclick: () => this.run() }, 'Run the suite'),
        h('button', { type: 'button', onclick: () => this.write() }, 'Write it from requests and claims'),
        h('button', { type: 'button', onclick: () => this.file.click() }, 'Open…'),
        h('button', { type: 'button', onclick: () => this.save() }, 'Save'),
        h('button', { type: 'button', onclick: () => this.takeRequests() }, 'Load its tests as requests')),
      this.results);
  }

  load() { this.area.value = this.page.state.suite; this.forget(); }

  set(text) { this.page.state.suite = plainLines(text); this.load(); this.page.changed(); }

  /// Puts a text in the place of the suite; asks first if something would be lost, and says how much there is of both.
  async replace(text) {
    const { suite } = this.page.state;
    if (suite.trim() && suite.trim() !== plainLines(text).trim()) {
      const [here, next] = [suite, text].map((one) => suiteWords(one));
      if (!await this.page.confirm(`Replace the suite that is here (${here}) by one with ${next}?`)) return false;
      this.page.setAside();
    }
    this.set(text);
    return true;
  }

  /// A suite of the present requests and claims. Whatever has no expectation expects what is so now; what
  /// is not decided has no place in it.
  async write() {
    const { page } = this, { state } = page;
    try {
      const chains = chainsOf(state.requests);
      const decided = chains.filter((chain) => chain.every((index) => page.expectation(index)));
      const tests = decided.map((chain) => page.chainText(chain));
      const documents = state.documents.trim() ? layJson(readJson(state.documents), '  ') : '{}';
      const claims = state.claims.map((one) => '    ' + layJson(readJson(claimText(one)), '    '));
      const isWritten = await this.replace(`{\n  "rules": "firestore.rules",\n${page.databaseMember}  "documents": ${documents},\n` +
        `  "tests": [\n${tests.join(',\n')}\n  ],\n  "claims": [\n${claims.join(',\n')}\n  ]\n}\n`);
      if (!isWritten) return;
      const left = chains.length - tests.length;
      announce(left ? `${plural(left, 'request')} without a verdict left out` : 'the suite is written');
    } catch (error) { this.complain(error.message); }
  }

  async open() {
    const [file] = this.file.files;
    if (!file) return;
    if (file.size > 4_000_000) { announce('the file is larger than 4 MB'); return; }
    const text = await file.text();
    this.file.value = '';
    if (!await this.replace(text)) return;
    this.takeDatabase();
    this.run();
  }

  /// The database that the text of the suite names; empty if it names none or cannot be read.
  databaseOfText() {
    try { return databaseOfSuite(readJson(this.page.state.suite)); } catch { return ''; }
  }

  /// Makes the suite's database that of the page, if it names one.
  takeDatabase() {
    const { page } = this, named = this.databaseOfText();
    if (!named) return;
    page.state.database = named;
    page.loadRequests();
    page.changed();
  }

  save() { download('firestore.suite.json', this.page.state.suite); }

  takeRequests() {
    const { page } = this;
    try {
      const suite = readJson(page.state.suite);
      if (!requestsOfSuite(suite).length) throw new Error('the suite has no test');
      page.setAside();
      page.state.documents = mergedDocuments('', member(suite, 'documents')?.members ?? []);
      page.state.database = databaseOfSuite(suite);
      takeTests(page.state, suite, mostRequests);
      page.state.selected = 0;
      page.loadRequests();
      page.views.claims.load();
      page.changed();
      page.openTab('request');
      const { requests, claims, requestsLeft, claimsLeft } = page.state;
      announce([`${plural(requests.length, 'request')}, ${plural(claims.length, 'claim')}`,
        leftWords(requestsLeft, 'request'), leftWords(claimsLeft, 'claim')].filter(Boolean).join('; '));
    } catch (error) { this.complain(error.message); }
  }

  async run() {
    const { page } = this;
    if (!page.state.suite.trim()) {
      return this.complain('There is no suite yet: write it from the requests and claims, or open one.');
    }
    // The suite's own database goes first, as on the command line.
    const { rules, suite } = page.state;
    const base = { ...(this.databaseOfText() ? { rules } : page.subject), suite, now: Date.now() };
    const tested = await page.work(this.slot, { do: 'test', ...base }, this.results);
    if (!tested) return;
    const proved = await page.work(this.slot, { do: 'prove', ...base }, this.results);
    if (!proved) return;
    const { tests, database } = tested.value.report.suites[0], { claims } = proved.value.report.suites[0];
    const line = (isPassed, text) => h('li', {},
      h('span', { class: `badge ${isPassed ? 'allow' : 'deny'}` }, isPassed ? '✓' : '✗'), ' ', text);
    const failed = tests.filter((one) => !one.passed).length + claims.filter((one) => !one.passed).length;
    fill(this.results,
      h('p', {}, `${plural(tests.length, 'test')}, ${plural(claims.length, 'claim')}, ${failed} failed${databaseWords(database)}`),
      h('ol', {}, tests.map((one) => line(one.passed, [one.name || `${one.method} ${one.path}`,
        one.passed ? '' : ` — ${(one.failures ?? []).join('; ')}`]))),
      h('ol', {}, claims.map((one) => line(one.passed, [`${one.name}: ${one.verdict}`,
        one.passed && one.verdict !== 'proved' ? ', as expected (a known hole)' : '']))));
    announce(failed ? `${failed} failed` : 'all passed');
  }
}

/// How much is in a suite, in a few words.
function suiteWords(text) {
  try {
    const suite = readJson(text);
    return `${plural(requestsOfSuite(suite).length, 'request')}, ${plural(member(suite, 'claims')?.elements?.length ?? 0, 'claim')}`;
  } catch { return 'text that cannot be read'; }
}
