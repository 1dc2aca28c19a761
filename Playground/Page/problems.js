// What `check` says of the rules while they are typed: marks below the text, a list with fixes by click,
// and the page of a finding.

class ProblemsView {
  constructor(root, page) {
    this.page = page;
    this.list = h('ol', { class: 'problems' });
    this.status = h('p', { class: 'small', role: 'status' });
    this.report = [];
    this.removals = [];
    this.at = -1;
    fill(root, this.status, this.list, h('p', { class: 'actions' },
      h('button', { type: 'button', onclick: () => this.deep() }, 'Find redundant rules'),
      this.takeAll = h('button', { type: 'button', hidden: true, onclick: () => this.fix() }, 'Remove all of them'),
      h('button', { type: 'button', onclick: () => page.format() }, 'Format'),
      h('button', { type: 'button', id: 'definition', title: 'of the function at the cursor (F12)', onclick: () => page.goToDefinition() },
        'Go to definition')));
  }

  /// Shows a report of one file; `removals` are the edits that take out one finding each.
  show(file, removals = []) {
    const { page } = this;
    this.report = file.diagnostics;
    this.removals = removals;
    this.takeAll.hidden = removals.length < 2;
    this.at = -1;
    // Positions are those of characters; a text area counts in units of UTF-16.
    const units = unitOffsets(page.state.rules);
    const span = (one) => [units(one.offset), units(one.endOffset + 1)];
    page.editor.mark(this.report.map((one) => [...span(one), `m-${one.severity}`]));
    this.status.textContent = this.report.length
      ? plural(this.report.length, 'finding') : 'No findings: it compiles, and nothing looks wrong.';
    fill(this.list, ...this.report.map((one) => h('li', { class: `s-${one.severity}` },
      h('button', { type: 'button', class: 'link', onclick: () => page.editor.select(...span(one)) },
        `${one.line}:${one.column}`), ` ${one.severity}: `, prose(one.message), ' ',
      h('code', { class: 'small' }, one.code),
      one.help ? h('span', { class: 'help' }, ' ', prose(one.help)) : '',
      this.fixes(one, span(one)))));
  }

  fixes(one, [start, end]) {
    const { page } = this;
    const found = [];
    const meant = /did you mean `([^`]+)`\?/.exec(`${one.help ?? ''} ${one.message}`);
    if (meant) {
      const present = page.state.rules.slice(start, end);
      const text = /^['"]/.test(present) && !/^['"]/.test(meant[1]) ? `${present[0]}${meant[1]}${present[0]}` : meant[1];
      found.push(h('button', { type: 'button', onclick: () => page.editor.replace(start, end, text) },
        `Write ${meant[1]}`));
    }
    if (one.kind === 'lint') {
      found.push(h('button', { type: 'button', onclick: () => page.explain(one.code) }, 'Explain'));
      found.push(h('button', { type: 'button', onclick: () => this.ignore(one) }, 'Ignore'));
      const removal = this.removals.find((other) => other.code === one.code && other.offset === one.offset);
      if (removal) found.push(h('button', { type: 'button', onclick: () => this.takeOut(removal) }, 'Remove'));
    }
    return found.length ? h('span', { class: 'fixes' }, found) : '';
  }

  ignore(one) {
    const { editor } = this.page;
    const lines = editor.text.split('\n');
    const start = lines.slice(0, one.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const indent = /^\s*/.exec(lines[one.line - 1])[0];
    const comment = `${indent}// rules-check: ignore ${one.code} REASON\n`;
    editor.replace(start, start, comment);
    editor.select(start + comment.length - 7, start + comment.length - 1);
  }

  async deep() {
    const { page } = this;
    const answer = await page.work('deep', { do: 'check', deep: true, ...page.subject }, null);
    if (!answer) return;
    const [file] = answer.value.report.files;
    this.show(file, answer.value.removals);
    announce(`${plural(this.removals.length, 'finding')} can be removed: ` +
      `${plural(file.deep.questions, 'question')} asked, ${file.deep.open} open`);
  }

  /// Takes out one finding: the edit was proved to change no decision.
  takeOut({ edits }) {
    const { editor, state } = this.page, units = unitOffsets(state.rules);
    for (const edit of edits.toReversed()) editor.replace(units(edit.offset), units(edit.endOffset), edit.text);
    editor.select(units(edits[0].offset));
    announce('removed: no decision changes');
  }

  async fix() {
    const { page } = this;
    const answer = await page.work('deep', { do: 'fix', ...page.subject }, null);
    if (answer) page.editor.replace(0, page.editor.text.length, answer.value.text);
  }

  /// The next problem, or the one before.
  step(direction) {
    if (!this.report.length) { announce('no findings'); return; }
    this.at = (this.at + direction + this.report.length) % this.report.length;
    const one = this.report[this.at];
    const units = unitOffsets(this.page.state.rules);
    this.page.editor.select(units(one.offset), units(one.endOffset + 1));
    announce(`${one.severity} in line ${one.line}: ${one.message}`);
  }
}

/// From places in characters to places in units of UTF-16.
function unitOffsets(text) {
  const wide = [];
  let characters = 0;
  for (const one of text) {
    if (one.length === 2) wide.push(characters);
    characters++;
  }
  return (offset) => offset + wide.filter((place) => place < offset).length;
}
