// The page: one state, views that show it, and what happens when it changes.

class Page {
  constructor() {
    this.decisions = [];
    this.goToLine = (line) => this.editor.selectLine(line);
    this.engine = new Engine(
      (slot) => this.showWork(slot), (slot, progress) => this.working?.get(slot)?.(progress));
    this.working = new Map();
    this.editor = new Editor(byId('rules'), 'Rules', () => {
      this.state.rules = this.editor.text;
      this.changed();
    });
    this.problems = new ProblemsView(byId('problems'), this);
    this.form = new RequestForm(byId('form'), () => this.changed());
    this.views = {
      claims: new ClaimsView(byId('panel-claims'), this), matrix: new MatrixView(byId('panel-matrix'), this),
      diff: new DiffView(byId('panel-diff'), this), suite: new SuiteView(byId('panel-suite'), this),
    };
    this.keep = debounce(400, () => remember(this.state));
    // A hidden tab's timers are slowed down, and a closed one's never come: what it still had to keep is kept
    // at once. It keeps nothing else, because another tab may know something newer.
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.keep.now(); });
    this.bindControls();
    this.bindKeys();
  }

  // ---- State

  /// Shows a state. One that this browser remembers anyway needs not be kept.
  set(state, { isKept = false } = {}) {
    this.state = state;
    this.editor.text = state.rules;
    this.loadRequests();
    for (const view of Object.values(this.views)) view.load();
    this.openTab(state.tab);
    if (isKept) { this.show(); return; }
    this.keep();
    this.show();
  }

  loadRequests() {
    this.form.load(this.state);
    this.showChips();
  }

  /// Something changed: decide anew at once, keep it soon. From now on the address is of something else, and
  /// to load the page again must not bring that back.
  changed() {
    if (location.hash) history.replaceState(null, '', '#');
    this.keep();
    this.show();
  }

  show() {
    this.decide();
    if (this.checked !== this.state.rules) {
      this.checked = this.state.rules;
      // What was said of other rules is said no longer.
      for (const view of Object.values(this.views)) view.results.replaceChildren();
      this.check();
    }
  }

  async check() {
    const { rules } = this.state;
    const answer = await this.engine.ask('live-check', { do: 'check', rules }, { limit: 10_000 });
    if (!answer || this.state.rules !== rules) return;
    const report = answer.value.report ?? answer.value.problems;
    if (report) this.problems.show(report.files[0]);
    else this.problems.status.textContent = answer.value.error;
    const outline = await this.engine.ask('live-outline', { do: 'outline', rules }, { limit: 10_000 });
    if (!outline?.value.report) return;
    this.outline = outline.value.report;
    this.form.complete(this.outline.matches.map((one) => one.pattern));
  }

  /// Decides all requests, and shows the verdict on the selected one.
  async decide() {
    const { state } = this, { rules, requests, selected } = state;
    // What is known of a request that has changed since is told of nobody.
    const turn = this.turn = (this.turn ?? 0) + 1;
    this.form.complain(null);
    let documents, own;
    try {
      try { documents = jsonField(state, 'documents', 'object'); }
      catch (error) { error.field = 'documents'; throw error; }
      own = liveSuite([requests[selected]], documents);
    } catch (error) { return this.cannotDecide(error); }
    const sound = requests.map((one) => { try { testMembers(one); return one; } catch { return null; } });
    const asked = sound.filter(Boolean);
    const base = { rules, now: Date.now() };
    const all = await this.engine.ask(
      'live-test', { do: 'test', suite: liveSuite(asked, documents), ...base }, { limit: 5000 });
    if (!all || turn !== this.turn) return;
    const tests = all.value.report?.suites[0].tests;
    if (!tests) {
      this.decisions = [];
      this.showChips();
      // One request that cannot be read keeps none of the others from being decided.
      const one = await this.engine.ask('live-test', { do: 'test', suite: own, ...base }, { limit: 5000 });
      if (!one || turn !== this.turn) return;
      if (!one.value.report) return this.cannotUse(one.value);
      return this.showDecision(one.value.report.suites[0].tests[0], own, base, turn);
    }
    let next = 0;
    this.decisions = sound.map((one) => one && tests[next++].decision);
    this.showChips();
    await this.showDecision(tests[asked.indexOf(requests[selected])], own, base, turn);
  }

  async showDecision(test, own, base, turn) {
    showVerdict(byId('verdict'), test, this.pictures?.key === own + base.rules ? this.pictures.text : '', this.goToLine);
    this.say(test);
    const answer = await this.engine.ask('live-picture', { do: 'picture', suite: own, ...base }, { limit: 5000 });
    if (!answer || turn !== this.turn || answer.value.text === undefined) return;
    const from = answer.value.text.indexOf('\n\n');
    this.pictures = { key: own + base.rules, text: from < 0 ? '' : answer.value.text.slice(from + 2).replace(/\n*the engine says: [^\n]*\n*$/, '\n') };
    const isOpen = byId('verdict').querySelector('details.values')?.open;
    showVerdict(byId('verdict'), test, this.pictures.text, this.goToLine);
    if (isOpen) byId('verdict').querySelector('details.values').open = true;
  }

  /// Tells a verdict that is not the last one.
  say(test) {
    const text = `${test.decision === 'allow' ? 'Allow' : test.decision === 'deny' ? 'Deny' : 'Unsupported'}: ` +
      `${test.method} ${test.path} as ${test.as ?? 'nobody'}`;
    if (text !== this.said) byId('spoken-verdict').textContent = this.said = text;
    document.body.dataset.verdict = test.decision;
  }

  cannotDecide(error) {
    this.form.complain(error);
    if (error.field === 'documents') byId('form').querySelector('details').open = true;
    this.noVerdict(`The request cannot be read: ${error.field}: ${error.message}`);
  }

  cannotUse(value) {
    const first = value.problems?.files[0].diagnostics.find((one) => one.severity === 'error');
    const where = value.problems?.files[0].rules === 'rules' ? `line ${first?.line} of the rules: ` : 'the request: ';
    this.noVerdict(value.error ?? `${where}${first?.message ?? 'cannot be used'}${first?.help ? ` — ${first.help}` : ''}`);
  }

  noVerdict(text) {
    byId('verdict').replaceChildren(
      h('p', { class: 'verdict open' }, h('span', { 'aria-hidden': 'true' }, '? '), 'NO VERDICT'), h('p', {}, text));
    this.said = byId('spoken-verdict').textContent = text;
    document.body.dataset.verdict = 'none';
  }

  // ---- Requests

  showChips() {
    const { requests, selected } = this.state;
    byId('chips').replaceChildren(...requests.map((request, index) => {
      const decision = this.decisions[index];
      const isRight = !request.expect || !decision || request.expect === decision;
      const sign = decision === 'allow' ? '✓' : decision === 'deny' ? '✗' : '?';
      return h('button', { type: 'button', class: `chip ${decision ?? 'open'} ${isRight ? '' : 'wrong'}`,
        'aria-pressed': String(index === selected),
        onclick: () => { this.state.selected = index; this.loadRequests(); this.changed(); } },
      h('span', { 'aria-hidden': 'true' }, `${sign} `), requestTitle(request),
      h('span', { class: 'hidden' }, ` ${decision ?? ''}`), isRight ? '' : ` (expected ${request.expect})`);
    }));
    // The one that is asked about is in sight, without moving the page.
    const box = byId('chips'), chip = box.children[selected];
    box.scrollTop = chip.offsetTop - box.offsetTop - (box.clientHeight - chip.clientHeight) / 2;
  }

  addRequest(request) {
    this.state.requests.push(request);
    this.state.selected = this.state.requests.length - 1;
    this.loadRequests();
    this.changed();
  }

  /// Puts a test that was found into the form.
  loadTest(test) {
    const { request, others } = requestFromTest(test);
    if (others.length) this.state.documents = mergedDocuments(this.state.documents, others);
    request.expect = '';
    this.addRequest(request);
    this.openTab('request');
    byId('verdict').scrollIntoView({ block: 'nearest' });
    announce('the request is loaded');
  }

  loadButton(test, label) {
    return h('button', { type: 'button', onclick: () => this.loadTest(test) }, label);
  }

  // ---- Long work

  /// Asks for something that may take long; complaints go to `results`. Null if there is no report.
  async work(slot, request, results) {
    const started = performance.now();
    // Only the word is announced; numbers that change all the time would never let a screen reader rest.
    const detail = h('span'), bar = h('progress', { 'aria-label': 'how much is done', hidden: true });
    results?.replaceChildren(
      h('p', { class: 'small' }, h('span', { role: 'status' }, 'Working…'), ' ', detail, ' ', bar));
    let told = { done: 0, total: 0 };
    const show = () => {
      const { done, total } = told, seconds = Math.round((performance.now() - started) / 1000);
      const amount = total ? [`${done} of ${total}`] : done ? [plural(done, 'question')] : [];
      detail.textContent = [...amount, ...(seconds ? [`${seconds} s`] : [])].join(', ');
      bar.hidden = !total;
      if (total) Object.assign(bar, { max: total, value: done });
    };
    this.working.set(slot, (progress) => { told = progress; show(); });
    const timer = setInterval(show, 1000);
    const answer = await this.engine.ask(slot, request);
    clearInterval(timer);
    this.working.delete(slot);
    if (!answer) { results?.replaceChildren(); return null; }
    if (request.rules !== undefined && request.rules !== this.state.rules) {
      results?.replaceChildren(h('p', { class: 'small' }, 'The rules have changed meanwhile: ask again.'));
      if (!results) announce('the rules have changed meanwhile: ask again');
      return null;
    }
    if (answer.value.report || answer.value.text !== undefined) return answer;
    const files = answer.value.problems?.files ?? [];
    const lines = files.flatMap((file) => file.diagnostics.map((one) =>
      h('li', {}, file.rules === 'rules' ? lineButton(one.line, this.goToLine) : `${file.rules} ${one.line}:${one.column}`,
        ' ', prose(one.message), one.help ? [' — ', prose(one.help)] : '')));
    const complaint = answer.value.error ?? 'It cannot be asked:';
    if (results) results.replaceChildren(h('p', { class: 'problem' }, complaint), h('ul', {}, lines));
    else announce(complaint);
    return null;
  }

  showWork(slot) {
    clearTimeout(this.workTimer);
    const isLong = slot && !slot.startsWith('live');
    if (!isLong) { byId('stop').hidden = true; return; }
    this.workTimer = setTimeout(() => { byId('stop').hidden = false; }, 300);
  }

  async format() {
    const answer = await this.work('format', { do: 'format', rules: this.state.rules }, null);
    if (answer && answer.value.text !== this.editor.text) {
      this.editor.replace(0, this.editor.text.length, answer.value.text);
    }
  }

  async explain(code) {
    const answer = await this.work('explain', { do: 'explain', code }, null);
    if (!answer) return;
    byId('explanation').textContent = answer.value.text;
    byId('explain').showModal();
  }

  goToDefinition() {
    const { area } = this.editor, { text } = this.editor;
    let start = area.selectionStart, end = start;
    while (start > 0 && /\w/.test(text[start - 1])) start--;
    while (end < text.length && /\w/.test(text[end])) end++;
    const found = this.outline?.functions.find((one) => one.name === text.slice(start, end));
    if (!found) { announce('no function of that name is declared here'); return; }
    const units = unitOffsets(text);
    this.editor.select(units(found.offset), units(found.endOffset));
  }

  // ---- Tabs, buttons, keys

  openTab(name) {
    const tabs = [...document.querySelectorAll('[role=tab]')];
    if (!tabs.some((one) => one.dataset.tab === name)) name = 'request';
    this.state.tab = name;
    for (const tab of tabs) {
      const isIt = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(isIt));
      tab.tabIndex = isIt ? 0 : -1;
      byId(`panel-${tab.dataset.tab}`).hidden = !isIt;
    }
  }

  bindControls() {
    const tabs = [...document.querySelectorAll('[role=tab]')];
    tabs.forEach((tab, index) => {
      tab.addEventListener('click', () => { this.openTab(tab.dataset.tab); this.keep(); });
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(index + step + tabs.length) % tabs.length];
        this.openTab(next.dataset.tab);
        next.focus();
      });
    });
    const on = (id, body) => byId(id).addEventListener('click', body);
    on('add-request', () => this.addRequest({ ...blankRequest(), path: this.form.request.path }));
    on('copy-request', () => this.addRequest({ ...this.form.request, name: '' }));
    on('remove-request', () => {
      const { requests, selected } = this.state;
      requests.splice(selected, 1);
      if (!requests.length) requests.push(blankRequest());
      this.state.selected = Math.min(selected, requests.length - 1);
      this.decisions = [];
      this.loadRequests();
      this.changed();
    });
    on('to-suite', () => this.copyTest());
    on('stop', () => this.engine.stop());
    on('share', () => this.share());
    on('definition', () => this.goToDefinition());
    on('help-button', () => byId('help').showModal());
    for (const dialog of document.querySelectorAll('dialog')) {
      dialog.querySelector('button').addEventListener('click', () => dialog.close());
    }
    byId('examples').addEventListener('change', (event) => this.openExample(event.target));
    byId('theme').addEventListener('change', (event) => setTheme(event.target.value));
    addEventListener('hashchange', () => this.openLink());
  }

  bindKeys() {
    const order = ['request', 'claims', 'matrix', 'diff', 'suite'];
    addEventListener('keydown', (event) => {
      const isText = /^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName);
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
        this.views[this.state.tab]?.run();
      } else if (event.key === 'F8') this.problems.step(event.shiftKey ? -1 : 1);
      else if (event.key === 'F12' && event.target === this.editor.area) this.goToDefinition();
      else if (event.altKey && !event.ctrlKey && order[Number(event.key) - 1]) {
        this.openTab(order[Number(event.key) - 1]);
        document.querySelector('[role=tab][aria-selected=true]').focus();
      } else if (event.altKey && event.key === '0') this.editor.area.focus();
      else if (event.altKey && event.shiftKey && event.code === 'KeyF') this.format();
      else if (event.key === '?' && !isText) byId('help').showModal();
      else return;
      event.preventDefault();
    });
  }

  /// What a request is expected to be, or is; undefined if that is not known.
  expectation(index) {
    return this.state.requests[index].expect
      || ['allow', 'deny'].find((one) => one === this.decisions[index]);
  }

  /// The selected request, added to the suite as a test that expects what is so now.
  copyTest() {
    const { state } = this;
    const request = state.requests[state.selected];
    const expect = this.expectation(state.selected);
    if (!expect) { announce('the request has no verdict yet, so there is nothing to expect'); return; }
    let text;
    try {
      text = testText({ ...request, name: requestTitle(request), expect });
    } catch (error) { announce(error.message); return; }
    if (this.appendTest(text)) announce('the request is a test of the suite now');
  }

  /// Adds the text of a test to the suite; whether that could be done.
  appendTest(text) {
    const { state } = this;
    const empty = `{\n  "rules": "firestore.rules",\n  "documents": {},\n  "tests": [\n  ]\n}\n`;
    let suite = state.suite.trim() ? state.suite : empty;
    try {
      const tests = member(readJson(suite), 'tests');
      if (!tests?.elements) throw new Error('the suite has no "tests"');
      const last = tests.elements.at(-1);
      suite = last
        ? `${suite.slice(0, last.end)},\n${text}${suite.slice(last.end)}`
        : `${suite.slice(0, tests.start)}[\n${text}\n  ]${suite.slice(tests.end)}`;
    } catch (error) { announce(`the suite cannot be read: ${error.message}`); return false; }
    this.views.suite.set(suite);
    return true;
  }

  /// Requests that follow each other, and a button that keeps them as a test; `text` is the test.
  sequence(steps, text) {
    const add = () => {
      if (!this.appendTest(text)) return;
      this.openTab('suite');
      announce('the sequence is a test of the suite now');
    };
    return h('div', {},
      h('ol', {}, steps.map((step) => h('li', {}, `${step.expect === 'allow' ? '✓ allowed' : '✗ denied'}: ${step.name}`))),
      h('button', { type: 'button', onclick: add }, 'Add these requests to the suite'));
  }

  async openExample(select) {
    const example = (await examples())[select.value];
    select.value = '';
    if (!example) return;
    const state = { ...blankState(), rules: example.rules, suite: example.suite, tab: this.state.tab };
    if (example.suite) {
      const suite = readJson(example.suite);
      state.documents = mergedDocuments('', member(suite, 'documents')?.members ?? []);
      state.requests = requestsOfSuite(suite).slice(0, 12);
      if (!state.requests.length) state.requests = [blankRequest()];
      const claims = member(suite, 'claims')?.elements ?? [];
      state.claims = claims.map(claimFromSuite).filter(Boolean);
      if (!state.claims.length) state.claims = [blankClaim()];
    }
    this.set(soundState(state));
    announce('the example is open');
  }

  async share() {
    const hash = await stateToHash(this.state);
    if (hash.length > longestLink) { announce('this is too much for a link; save the suite instead'); return; }
    history.replaceState(null, '', hash);
    byId('link').value = location.href;
    byId('share-dialog').showModal();
    byId('link').select();
    try { await navigator.clipboard.writeText(location.href); } catch { /* The field is there to copy from. */ }
  }

  /// Opens the state that a link carries; says so if it cannot.
  async openLink() {
    try {
      const state = await stateFromHash(location.hash);
      if (state) {
        byId('notice').hidden = true;
        this.set(state);
        return true;
      }
    } catch (error) {
      byId('notice').hidden = false;
      byId('notice').textContent = `The link could not be opened: ${error.message}.`;
    }
    return false;
  }
}

/// A claim of a suite in the form; null if it says more than the form has room for.
function claimFromSuite(claim) {
  const kind = Object.keys(obligations).find((one) => member(claim, one));
  if (!kind || member(claim, 'expect')?.text === 'violated') return null;
  const known = ['name', 'path', 'methods', 'writes', 'given', 'expect', 'through', ...Object.keys(obligations)];
  if (claim.members.some(([key]) => !known.includes(key))) return null;
  const scope = member(claim, 'methods');
  const words = scope?.elements?.map((one) => one.text) ?? [scope?.text ?? 'all'];
  if (words.length !== 1 || !scopes.includes(words[0])) return null;
  return {
    path: member(claim, 'path')?.text ?? '', methods: words[0], given: member(claim, 'given')?.text ?? '',
    writes: (member(claim, 'writes')?.elements ?? []).map((one) => one.text).join(', '), kind,
    condition: member(claim, kind).text ?? '',
    through: member(claim, 'through')?.text ?? member(claim, 'through')?.raw ?? '',
  };
}

const exampleData = () => JSON.parse(byId('example-data').textContent);

/// The rules and suites behind the menu.
async function examples() {
  const bytes = Uint8Array.from(atob(exampleData().packed), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).json();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem('rules-check.theme', theme); } catch { /* Private windows keep nothing. */ }
}

(async () => {
  let theme = 'auto';
  try { theme = localStorage.getItem('rules-check.theme') ?? 'auto'; } catch { /* As above. */ }
  byId('theme').value = theme;
  setTheme(theme);
  byId('examples').append(...exampleData().names.map((name, index) => h('option', { value: index }, name)));
  const page = new Page();
  page.state = blankState();
  if (!await page.openLink()) page.set(remembered() ?? blankState(), { isKept: true });
  globalThis.playground = page;
})();
