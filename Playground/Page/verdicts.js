// What is decided while you type: all requests in one question, then the picture of the selected one.

class Verdicts {
  constructor(page) {
    this.page = page;
    /// What is known of each request: allow, deny, unsupported, or nothing.
    this.decisions = [];
    this.turn = 0;
  }

  /// Decides all requests, and shows the verdict on the selected one.
  async decide() {
    const { state } = this.page, { requests, selected } = state;
    // What is known of a request that has changed since is told of nobody.
    const turn = ++this.turn;
    const base = { ...this.page.subject, now: Date.now() };
    this.page.form.complain(null);
    let documents;
    try { documents = jsonField(state, 'documents', 'object'); } catch (error) {
      this.decided([]);
      return this.cannotDecide(new FieldError('documents', error.message), selected);
    }
    // A sequence goes as far as it can be read. What is wrong with one request keeps no other from its verdict.
    let asked = [], isTold = false;
    for (const chain of chainsOf(requests)) {
      const bad = chain.findIndex((index, place) => {
        try { testMembers(requests[index], { isStep: place > 0 }); } catch (error) {
          if (!chain.slice(place).includes(selected)) return true;
          this.cannotDecide(error, chain[place]);
          return isTold = true;
        }
        return false;
      });
      asked.push(bad < 0 ? chain : chain.slice(0, bad));
    }
    asked = asked.filter((chain) => chain.length);
    const tests = [];
    while (asked.length) {
      const suite = liveSuite(asked.map((chain) => chain.map((index) => requests[index])), documents);
      const all = await this.page.engine.ask('live-test', { do: 'test', suite: suite.text, ...base }, { limit: 5000 });
      if (!all || turn !== this.turn) return;
      const results = all.value.report?.suites[0].tests;
      results?.forEach((test, at) => asked[at].forEach((index, step) => {
        tests[index] = test.steps ? test.steps[step] : test;
      }));
      if (results) break;
      const refused = refusals(all.value, suite.lines);
      // Of a sequence the last step goes, until what is left can be used.
      const left = refused.size
        ? asked.map((chain, at) => (refused.has(at) ? chain.slice(0, -1) : chain)) : asked.map(() => []);
      const own = asked.findIndex((chain, at) => chain.includes(selected) && !left[at].includes(selected));
      if (own >= 0 && !isTold) {
        this.cannotUse(all.value, refused.get(own)?.[0]);
        isTold = true;
      }
      asked = left.filter((chain) => chain.length);
    }
    this.decided(requests.map((_, index) => tests[index]?.decision));
    if (isTold) return;
    if (!tests[selected]) return this.noVerdict('A request before it could not be decided.');
    await this.showDecision(tests[selected], documents, base, turn);
  }

  decided(decisions) {
    this.decisions = decisions;
    this.page.showChips();
  }

  async showDecision(test, documents, base, turn) {
    const { requests, selected } = this.page.state;
    const chain = chainWith(requests, selected), place = chain.indexOf(selected);
    const told = place > 0 ? `Step ${place + 1} of ${chain.length}, on what the requests before it left.` : '';
    // Of a sequence the picture is that of the first step that comes out otherwise than expected.
    const steps = chain.slice(0, place + 1).map((index) => requests[index]);
    const other = test.decision === 'allow' ? 'deny' : 'allow';
    const own = liveSuite([steps], documents, steps.length > 1
      ? (one) => (one === steps.at(-1) ? other : this.decisions[requests.indexOf(one)]) : undefined).text;
    const show = (picture) =>
      showVerdict(byId('verdict'), byId('reasons'), { ...test, database: base.database }, picture, this.page.goToLine, told);
    // A window without room for the picture has the list in its place.
    const columns = fittingColumns();
    const key = JSON.stringify([own, base.rules, base.database, columns]);
    show(this.pictures?.key === key ? this.pictures.text : '');
    this.say(test);
    if (!columns) return;
    const answer = await this.page.engine.ask('live-picture', { do: 'picture', suite: own, columns, ...base }, { limit: 5000 });
    if (!answer || turn !== this.turn || answer.value.text === undefined) return;
    const from = answer.value.text.indexOf('\n\n');
    this.pictures = { key, text: from < 0 ? '' : answer.value.text.slice(from + 2).replace(/\n*The emulator prints: [^\n]*\n*$/, '\n') };
    show(this.pictures.text);
  }

  /// Tells a verdict that is not the last one.
  say(test) {
    const text = `${test.decision === 'allow' ? 'Allow' : test.decision === 'deny' ? 'Deny' : 'Unsupported'}: ` +
      `${test.method} ${test.path} as ${test.as ?? 'nobody'}`;
    if (text !== this.said) byId('spoken-verdict').textContent = this.said = text;
    document.body.dataset.verdict = test.decision;
  }

  /// Says what cannot be read, of the request at an index.
  cannotDecide(error, index) {
    const isOwn = error.field === 'documents' || index === this.page.state.selected;
    if (isOwn) {
      this.page.form.complain(error);
      const hidden = byId('more-fields');
      if (hidden.contains(this.page.form.controls[error.field]?.control)) hidden.open = true;
    }
    this.noVerdict(`The request ${isOwn ? '' : 'before it '}cannot be read: ${error.field}: ${error.message}`);
  }

  /// Says why the engine could not use what it was asked; `problem` is what it says of the request.
  cannotUse(value, problem) {
    const file = value.problems?.files[0];
    const first = problem ?? file?.diagnostics.find((one) => one.severity === 'error');
    const where = file?.rules === 'rules' ? `line ${first?.line} of the rules: ` : 'the request: ';
    this.noVerdict(value.error ?? `${where}${first?.message ?? 'cannot be used'}${first?.help ? ` — ${first.help}` : ''}`);
  }

  noVerdict(text) {
    fill(byId('verdict'),
      h('p', { class: 'verdict open' }, h('span', { 'aria-hidden': 'true' }, '? '), 'NO VERDICT'), h('p', { class: 'why' }, text));
    showBar('open', 'NO VERDICT', text);
    fill(byId('reasons'));
    this.said = byId('spoken-verdict').textContent = text;
    document.body.dataset.verdict = 'none';
  }
}

/// What the engine refuses of a suite, by the place of the test; empty if it is not about single tests.
function refusals(value, lines) {
  const file = value.problems?.files[0], found = new Map();
  if (file?.rules !== 'suite') return found;
  for (const one of file.diagnostics.filter((other) => other.severity === 'error')) {
    const at = lines.findLastIndex((line) => line <= one.line);
    if (at < 0) return new Map();
    found.set(at, [...(found.get(at) ?? []), one]);
  }
  return found;
}
