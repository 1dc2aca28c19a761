// What `check` says of the rules while they are typed: marks below the text, a list with fixes by click,
// and the page of a finding.

class ProblemsView {
  constructor(root, page) {
    this.page = page;
    this.list = h('ol', { class: 'problems' });
    this.status = h('p', { class: 'small', role: 'status' });
    this.report = [];
    this.at = -1;
    root.replaceChildren(this.status, this.list, h('p', { class: 'actions' },
      h('button', { type: 'button', onclick: () => this.deep() }, 'Find what decides nothing'),
      h('button', { type: 'button', onclick: () => page.format() }, 'Format')));
  }

  /// Shows a report of one file.
  show(file) {
    const { page } = this;
    this.report = file.diagnostics;
    this.at = -1;
    // Positions are those of characters; a text area counts in units of UTF-16.
    const units = unitOffsets(page.state.rules);
    const span = (one) => [units(one.offset), units(one.endOffset + 1)];
    page.editor.mark(this.report.map((one) => [...span(one), `m-${one.severity}`]));
    this.status.textContent = this.report.length
      ? plural(this.report.length, 'finding') : 'No findings: it compiles, and nothing looks wrong.';
    this.list.replaceChildren(...this.report.map((one) => h('li', { class: `s-${one.severity}` },
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
      if (one.code.startsWith('redundant')) {
        found.push(h('button', { type: 'button', onclick: () => this.fix() }, 'Take out'));
      }
    }
    return found.length ? h('span', { class: 'fixes' }, ' ', found) : '';
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
    this.show(file);
    announce(`${plural(file.deep.questions, 'question')} asked, ${file.deep.open} open`);
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
