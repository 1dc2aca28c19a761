// The page: one state, views that show it, and what happens when it changes.

class Page {
  constructor() {
    this.verdicts = new Verdicts(this);
    this.goToLine = (line) => this.editor.selectLine(line);
    // What answers typing has a worker of its own, so that no proof keeps it waiting.
    this.engine = new Engine(() => {}, () => {});
    this.prover = null;
    this.working = new Map();
    this.turns = {};
    this.opening = 0;
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
    if (!isKept) this.keep();
    this.show();
  }

  /// Opens a state in the place of the present one, which can be brought back.
  open(state) {
    this.setAside(JSON.stringify(state));
    this.set(state);
  }

  /// Keeps what is there, because something else will be.
  setAside(next) {
    const text = JSON.stringify(this.state);
    if ([next, JSON.stringify(blankState()), JSON.stringify(story)].includes(text)) return;
    this.aside = text;
    try { localStorage.setItem(asideKey, text); } catch { /* Private windows keep nothing. */ }
    byId('back').hidden = false;
  }

  bringBack() {
    let state;
    try { state = soundState(JSON.parse(this.aside)); } catch {
      byId('back').hidden = true;
      return;
    }
    this.leaveLink();
    this.open(state);
    announce('the earlier rules and requests are back');
  }

  loadRequests() {
    this.form.load(this.state);
    this.showChips();
  }

  leaveLink() {
    byId('notice').hidden = true;
    if (location.hash) history.replaceState(null, '', '#');
  }

  /// Something changed: decide anew at once, keep it soon. From now on the address is of something else, and
  /// to load the page again must not bring that back.
  changed() {
    this.leaveLink();
    this.keep();
    this.show();
  }

  show() {
    this.verdicts.decide();
    byId('database-name').textContent = `database ${this.state.database || '(default)'}`;
    // With rules of one's own the introduction is not needed.
    byId('intro').hidden = ![story?.rules, blankState().rules].includes(this.state.rules);
    const key = JSON.stringify(this.subject);
    if (this.checked !== key) {
      this.checked = key;
      // Results for other rules, or another database, are removed.
      for (const view of Object.values(this.views)) view.forget();
      this.drop('deep');
      this.check();
    }
  }

  async check() {
    const { subject } = this, key = JSON.stringify(subject);
    const answer = await this.engine.ask('live-check', { do: 'check', ...subject }, { limit: 10_000 });
    if (!answer || JSON.stringify(this.subject) !== key) return;
    const report = answer.value.report ?? answer.value.problems;
    if (report) this.problems.show(report.files[0]);
    else this.problems.status.textContent = answer.value.error;
    const outline = await this.engine.ask('live-outline', { do: 'outline', ...subject }, { limit: 10_000 });
    if (!outline?.value.report) return;
    this.outline = outline.value.report;
    this.form.complete(this.outline.matches.map((one) => one.pattern));
  }

  /// The rules, and the database that they are deployed to if one is named.
  get subject() {
    const { rules, database } = this.state;
    return database.trim() ? { rules, database: database.trim() } : { rules };
  }

  /// The line of a suite that names the page's database; empty if none is named.
  get databaseMember() {
    const { database } = this.subject;
    return database ? `  "database": ${JSON.stringify(database)},\n` : '';
  }

  // ---- Requests

  showChips() {
    const { requests, selected } = this.state;
    fill(byId('chips'), ...requests.map((request, index) => {
      const decision = this.verdicts.decisions[index];
      const isRight = !request.expect || !decision || request.expect === decision;
      const sign = decision === 'allow' ? '✓' : decision === 'deny' ? '✗' : '?';
      const isStep = request.follows && index > 0;
      return h('button', { type: 'button', class: `chip ${decision ?? 'open'} ${isRight ? '' : 'wrong'}`,
        'aria-pressed': String(index === selected), title: requestTitle(request),
        onclick: () => { this.state.selected = index; this.loadRequests(); this.changed(); } },
      h('span', { 'aria-hidden': 'true' }, `${isStep ? '↳ ' : ''}${sign} `),
      isStep ? h('span', { class: 'hidden' }, 'then ') : '',
      // The names of the groups that a test is in are for who hovers, or cannot see the others.
      h('span', { class: 'hidden' }, requestTitle(request).split(' › ').slice(0, -1).map((one) => `${one} › `)),
      requestTitle(request).split(' › ').at(-1),
      h('span', { class: 'hidden' }, ` ${decision ?? ''}`), isRight ? '' : ` (expected ${request.expect})`);
    }));
    const left = byId('requests-left');
    left.textContent = this.state.requestsLeft ? `${leftWords(this.state.requestsLeft, 'request')}; the tab Suite has all of them.` : '';
    left.hidden = !this.state.requestsLeft;
    // The one that is asked about is in sight, without moving the page.
    const box = byId('chips'), chip = box.children[selected];
    box.scrollTop = chip.offsetTop - box.offsetTop - (box.clientHeight - chip.clientHeight) / 2;
  }

  /// Adds requests, at the end if no place is said; the one at `selected` of them is shown.
  addRequests(added, { at = this.state.requests.length, selected = 0 } = {}) {
    this.state.requests.splice(at, 0, ...added);
    this.state.selected = at + selected;
    this.verdicts.decisions.splice(at, 0, ...added.map(() => undefined));
    this.loadRequests();
    this.changed();
  }

  removeRequest() {
    const { requests, selected } = this.state;
    const [removed] = requests.splice(selected, 1);
    this.verdicts.decisions.splice(selected, 1);
    // What followed a first request follows no other.
    if (requests[selected] && !removed.follows) requests[selected].follows = false;
    if (!requests.length) requests.push(blankRequest());
    this.state.selected = Math.min(selected, requests.length - 1);
    this.loadRequests();
    this.changed();
  }

  /// Puts a test that was found into the form; of a sequence the last request, which it is about.
  loadTest(test) {
    const requests = requestsFromTest(test);
    for (const one of requests) one.expect = '';
    this.addRequests(requests, { selected: requests.length - 1 });
    this.openTab('request');
    byId('panel-request').scrollTop = 0;
    byId('panel-request').scrollIntoView({ block: 'nearest' });
    announce(requests.length > 1 ? 'the requests are loaded' : 'the request is loaded');
  }

  loadButton(test, label) {
    return h('button', { type: 'button', onclick: () => this.loadTest(test) }, label);
  }

  // ---- Long work

  /// Asks for something that may take long; complaints go to `results`. Null if there is no report.
  async work(slot, request, results) {
    this.drop(slot);
    const turn = this.turns[slot];
    const started = performance.now();
    // Only the word is announced; numbers that change all the time would never let a screen reader rest.
    const detail = h('span'), bar = h('progress', { 'aria-label': 'how much is done', hidden: true });
    fill(results,
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
    this.prover ??= new Engine(
      (one) => this.showWork(one), (one, progress) => this.working.get(one)?.(progress), this.engine);
    const engine = slot.startsWith('live') ? this.engine : this.prover;
    const answer = await engine.ask(slot, request);
    clearInterval(timer);
    // Another question has taken its place, or what it asked about is no longer there.
    if (turn !== this.turns[slot]) return null;
    this.working.delete(slot);
    if (!answer) { fill(results); return null; }
    if (request.rules !== undefined && request.rules !== this.state.rules) {
      fill(results, h('p', { class: 'small' }, 'The rules have changed since then: ask again.'));
      if (!results) announce('the rules have changed since then: ask again');
      return null;
    }
    if (answer.value.report || answer.value.text !== undefined) return answer;
    const files = answer.value.problems?.files ?? [];
    const lines = files.flatMap((file) => file.diagnostics.map((one) =>
      h('li', {}, file.rules === 'rules' ? lineButton(one.line, this.goToLine) : `${file.rules} ${one.line}:${one.column}`,
        ' ', prose(one.message), one.help ? [' — ', prose(one.help)] : '')));
    const complaint = answer.value.error ?? 'The question has errors:';
    if (results) fill(results, h('p', { class: 'problem' }, complaint), h('ul', {}, lines));
    else announce(complaint);
    return null;
  }

  /// Forgets what was asked for a slot.
  drop(slot) {
    this.turns[slot] = (this.turns[slot] ?? 0) + 1;
    this.working.delete(slot);
    this.prover?.drop(slot);
  }

  get isBusy() { return !this.engine.isReady || this.engine.isBusy || Boolean(this.prover?.isBusy); }

  showWork(slot) {
    clearTimeout(this.workTimer);
    if (!slot) { byId('stop').hidden = true; return; }
    this.workTimer = setTimeout(() => { byId('stop').hidden = false; }, 300);
  }

  async format() {
    const answer = await this.work('live-format', { do: 'format', rules: this.state.rules }, null);
    if (!answer) return;
    if (answer.value.text === this.editor.text) { announce('the rules are formatted already'); return; }
    this.editor.replace(0, this.editor.text.length, answer.value.text);
    announce('the rules are formatted');
  }

  async explain(code) {
    const answer = await this.work('live-explain', { do: 'explain', code }, null);
    if (!answer) return;
    fill(byId('explanation'), markdown(answer.value.text));
    byId('explain').showModal();
  }

  goToDefinition() {
    const { area } = this.editor, { text } = this.editor;
    let start = area.selectionStart, end = start;
    while (start > 0 && /\w/.test(text[start - 1])) start--;
    while (end < text.length && /\w/.test(text[end])) end++;
    const found = this.outline?.functions.find((one) => one.name === text.slice(start, end));
    if (!found) {
      announce(start === end ? 'put the cursor on the name of a function first' : `no function ${text.slice(start, end)} is declared here`);
      return;
    }
    const units = unitOffsets(text);
    this.editor.select(units(found.offset), units(found.endOffset));
  }

  // ---- Tabs, buttons, keys

  openTab(name) {
    const tabs = [...document.querySelectorAll('[role=tab]')];
    if (!tabs.some((one) => one.dataset.tab === name)) name = 'request';
    this.state.tab = name;
    hush();
    for (const tab of tabs) {
      const isIt = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(isIt));
      tab.tabIndex = isIt ? 0 : -1;
      byId(`panel-${tab.dataset.tab}`).hidden = !isIt;
    }
  }

  /// Answers the question of the tab that was opened, if that takes a moment only and there is no answer yet.
  answerTab() {
    const { rules, old, tab } = this.state;
    const isShort = [rules, tab === 'diff' ? old : ''].every((one) => one.split('\n').length <= 60);
    if (!isShort || (tab !== 'matrix' && (tab !== 'diff' || !old.trim()))) return;
    const view = this.views[tab];
    if (!view.results.childElementCount && !this.working.has(view.slot)) view.run();
  }

  bindControls() {
    const tabs = [...document.querySelectorAll('[role=tab]')];
    tabs.forEach((tab, index) => {
      tab.addEventListener('click', () => { this.openTab(tab.dataset.tab); this.keep(); this.answerTab(); });
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(index + step + tabs.length) % tabs.length];
        this.openTab(next.dataset.tab);
        next.focus();
      });
    });
    const on = (id, body) => byId(id).addEventListener('click', body);
    on('add-request', () => this.addRequests([{ ...blankRequest(), path: this.form.request.path }]));
    on('add-step', () => {
      const { signedIn, uid, provider, claims, path } = this.form.request;
      this.addRequests([{ ...blankRequest(), signedIn, uid, provider, claims, path, follows: true }],
        { at: this.state.selected + 1 });
    });
    on('copy-request', () => {
      const { requests, selected } = this.state;
      this.addRequests([{ ...this.form.request, name: '' }],
        { at: this.form.request.follows && selected ? selected + 1 : requests.length });
    });
    on('remove-request', () => this.removeRequest());
    on('to-suite', () => this.copyTest());
    on('stop', () => this.prover?.stop('stopped'));
    on('back', () => this.bringBack());
    on('share', () => this.share());
    on('save-state', () => this.saveState());
    on('open-state', () => byId('state-file').click());
    byId('state-file').addEventListener('change', () => this.openState());
    on('skip', () => document.querySelector('[role=tab][aria-selected=true]').focus());
    for (const one of document.querySelectorAll('#intro [data-ask]')) {
      one.addEventListener('click', () => this.askStory(one.dataset.ask));
    }
    // Another width has room for other things beside the rules.
    addEventListener('resize', debounce(200, () => { this.editor.redraw(); this.verdicts.decide(); }));
    on('help-button', () => byId('help').showModal());
    on('question-yes', () => byId('question').close('yes'));
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
      // By the place of the key: with Alt, some keyboards make other characters of digits.
      const digit = Number(/^Digit(\d)$/.exec(event.code)?.[1] ?? NaN);
      const isText = /^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName);
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
        this.views[this.state.tab]?.run();
      } else if (event.key === 'Escape' && this.prover?.running && event.target !== this.editor.area
        && !document.querySelector('dialog[open]')) {
        this.prover.stop('stopped');
      } else if (event.key === 'F8') this.problems.step(event.shiftKey ? -1 : 1);
      else if (event.key === 'F12' && event.target === this.editor.area) this.goToDefinition();
      else if (event.altKey && !event.ctrlKey && order[digit - 1]) {
        this.openTab(order[digit - 1]);
        document.querySelector('[role=tab][aria-selected=true]').focus();
        this.answerTab();
      } else if (event.altKey && digit === 0) this.editor.area.focus();
      else if (event.altKey && event.shiftKey && event.code === 'KeyF') this.format();
      else if (event.key === '?' && !isText) byId('help').showModal();
      else return;
      event.preventDefault();
    });
  }

  /// What a request is expected to be, or is; undefined if that is not known.
  expectation(index) {
    return this.state.requests[index].expect
      || ['allow', 'deny'].find((one) => one === this.verdicts.decisions[index]);
  }

  /// The requests of a chain as text of a test that expects what is so now, on documents of its own if its suite
  /// does not have them.
  chainText(chain, documents) {
    const { requests } = this.state, [first, ...rest] = chain;
    let head = requests[first];
    if (documents?.length) {
      const own = jsonField(head, 'stored', 'object')?.members ?? [];
      head = { ...head, stored: mergedDocuments('', [...documents, ...own]) };
    }
    return testText([head, ...rest.map((index) => requests[index])],
      (one) => this.expectation(one === head ? first : requests.indexOf(one)));
  }

  /// The documents for all requests that the suite lacks or has otherwise.
  missingDocuments() {
    const { state } = this;
    const stored = jsonField(state, 'documents', 'object')?.members ?? [];
    const suite = state.suite.trim() ? member(readJson(state.suite), 'documents') : null;
    return stored.filter(([path, value]) => {
      const other = member(suite, path);
      return !other || layJson(other) !== layJson(value);
    });
  }

  /// The selected request, with those that it follows and that follow it, added to the suite.
  copyTest() {
    const { requests, selected } = this.state;
    const chain = chainWith(requests, selected);
    if (!chain.every((index) => this.expectation(index))) {
      announce('not every request has a verdict yet, so there is nothing to expect');
      return;
    }
    let text;
    try { text = this.chainText(chain, this.missingDocuments()); } catch (error) { announce(error.message); return; }
    if (!this.appendTest(text)) return;
    announce(chain.length > 1 ? 'the sequence is in the suite now' : 'the request is in the suite now');
  }

  /// Adds the text of a test to the suite; whether that could be done.
  appendTest(text) {
    const { state } = this;
    const empty = `{\n  "rules": "firestore.rules",\n${this.databaseMember}  "documents": {},\n  "tests": [\n  ]\n}\n`;
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
      announce('the sequence is in the suite now');
    };
    return h('div', {},
      h('ol', {}, steps.map((step) => h('li', {}, `${step.expect === 'allow' ? '✓ allowed' : '✗ denied'}: ${step.name}`))),
      h('p', { class: 'actions' }, this.loadButton(readJson(text), 'Load these requests'),
        h('button', { type: 'button', onclick: add }, 'Add these requests to the suite')));
  }

  async openExample(select) {
    const turn = ++this.opening;
    const index = select.value;
    const example = index === 'blank' ? blankState() : (await examples())[index];
    select.value = '';
    if (!example || turn !== this.opening) return;
    this.leaveLink();
    this.open({ ...(index === 'blank' ? example : stateOfExample(example)), tab: this.state.tab });
    const { requestsLeft, claimsLeft } = this.state;
    announce(['the example is open', leftWords(requestsLeft, 'request'), leftWords(claimsLeft, 'claim')]
      .filter(Boolean).join('; '));
  }

  /// Opens the story that the page begins with, at one of its three questions, and answers it.
  async askStory(tab) {
    if (this.state.rules !== story.rules || this.state.old !== story.old) {
      this.leaveLink();
      this.open(structuredClone(story));
    }
    if (tab === 'request') { this.state.selected = 0; this.loadRequests(); }
    if (tab === 'matrix') { this.state.field = 'fcmToken'; this.views.matrix.load(); }
    this.openTab(tab);
    this.changed();
    await this.views[tab]?.run();
  }

  /// Asks something that Keep or Replace answers; whether it was Replace.
  confirm(question) {
    const dialog = byId('question');
    // That a question before this one was closed may still be on its way here: it is no answer to this one.
    this.answer?.(false);
    byId('question-title').textContent = question;
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise((resolve) => {
      this.answer = resolve;
      dialog.onclose = () => { if (!dialog.open) resolve(dialog.returnValue === 'yes'); };
    });
  }

  /// Shows a link to all this where others can open it, and otherwise how to send it as a file.
  async share() {
    const hash = linksWork() ? await stateToHash(this.state) : '';
    const isLink = linksWork() && hash.length <= longestLink;
    byId('share-link').hidden = !isLink;
    byId('share-why').textContent = isLink ? '' : linksWork()
      ? 'This is too much for a link. As a file it can be sent to whoever has this page.'
      : 'This page was opened from a disk, so a link to it leads nowhere on another machine. As a file all this can be sent to ' +
        'whoever has the page.';
    byId('share-dialog').showModal();
    if (!isLink) return;
    history.replaceState(null, '', hash);
    byId('link').value = location.href;
    byId('link').select();
    try {
      await navigator.clipboard.writeText(location.href);
      byId('copied').textContent = 'It is on the clipboard.';
    } catch { byId('copied').textContent = 'Copy it from here.'; }
  }

  saveState() {
    download('rules-check-playground.json', JSON.stringify(this.state, null, 2));
    byId('share-dialog').close();
    announce('saved as rules-check-playground.json');
  }

  async openState() {
    const [file] = byId('state-file').files;
    if (!file) return;
    byId('share-dialog').close();
    try {
      if (file.size > longestState) throw new Error('it is larger than 4 MB');
      let data;
      try { data = JSON.parse(await file.text()); } catch { throw new Error('it is not a file of this page'); }
      this.leaveLink();
      this.open(soundState(data));
      announce(`${file.name} is open`);
    } catch (error) { announce(`${file.name} cannot be opened: ${error.message}`); }
    byId('state-file').value = '';
  }

  /// Opens the state that a link carries; says so if it cannot.
  async openLink() {
    const turn = ++this.opening, { hash } = location;
    // Of several links, and of one and what was done meanwhile, the last counts.
    const isLast = () => turn === this.opening && hash === location.hash;
    try {
      const state = await stateFromHash(hash);
      if (state && isLast()) {
        byId('notice').hidden = true;
        this.open(state);
        return true;
      }
    } catch (error) {
      if (!isLast()) return false;
      byId('notice').hidden = false;
      byId('notice').textContent = `The link could not be opened: ${error.message}.`;
    }
    return false;
  }
}

/// True if a link to this page leads others to it.
let linksWork = () => /^https?:$/.test(location.protocol);

/// Gives the browser a file to keep.
function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/// The beginning of a page that remembers nothing: somebody else writes a user's push token.
let story = null;

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
  await isUnderWay;
  let theme = 'auto';
  try { theme = localStorage.getItem('rules-check.theme') ?? 'auto'; } catch { /* As above. */ }
  byId('theme').value = theme;
  setTheme(theme);
  byId('examples').append(h('option', { value: 'blank' }, 'Blank'), ...exampleData().names.map((name, index) => h('option', { value: index }, name)));
  const page = new Page();
  try { story = stateOfExample((await examples())[0]); } catch { /* A browser that cannot unpack it begins with less. */ }
  page.state = remembered() ?? (story ? structuredClone(story) : blankState());
  try { page.aside = localStorage.getItem(asideKey); } catch { /* As above. */ }
  byId('back').hidden = !page.aside;
  if (!await page.openLink()) page.set(page.state, { isKept: true });
  globalThis.playground = page;
})();
