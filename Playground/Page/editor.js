// A text area over a coloured copy of its text: the browser's own undo, input methods, touch and screen
// readers, with colours, line numbers and marks below problems.

class Editor {
  constructor(root, label, onInput) {
    this.area = h('textarea', {
      spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off', 'aria-label': label,
    });
    this.paint = h('pre', { 'aria-hidden': 'true', class: 'paint' });
    this.gutter = h('div', { 'aria-hidden': 'true', class: 'gutter' });
    this.marks = [];
    fill(root, this.gutter, h('div', { class: 'sheet' }, this.paint, this.area));
    root.classList.add('editor');
    this.onInput = () => { this.marks = []; this.redraw(); onInput(); };
    // Chromium tells of each line that a replacement brings; what matters is the text after it.
    this.area.addEventListener('input', () => { if (!this.isReplacing) this.onInput(); });
    this.area.addEventListener('scroll', () => this.follow());
    this.area.addEventListener('keydown', (event) => this.key(event));
    this.area.addEventListener('blur', () => { this.leaves = false; });
  }

  get text() { return this.area.value; }

  set text(value) {
    if (this.area.value !== value) this.area.value = value;
    this.marks = [];
    this.redraw();
  }

  /// Puts text in the place of a range so that the browser's undo takes it back. Only what differs is replaced.
  replace(start, end, text) {
    const old = this.text, wanted = old.slice(0, start) + text + old.slice(end);
    const most = Math.min(end - start, text.length);
    let same = 0;
    while (same < most && old[start + same] === text[same]) same++;
    let alike = 0;
    while (alike < most - same && old[end - 1 - alike] === text[text.length - 1 - alike]) alike++;
    const [from, to, part] = [start + same, end - alike, text.slice(same, text.length - alike)];
    this.isReplacing = true;
    this.area.focus();
    this.area.setSelectionRange(from, to);
    // Chromium inserts plain text line by line, in five milliseconds each; as markup, in which nothing is an element
    // but the ends of lines, it takes all of it at once, but for the last end of a line if nothing follows it there.
    // Firefox has only the first way, and is fast.
    const markup = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      .replaceAll('\n', '<br>') + (part.endsWith('\n') ? '<br>' : '');
    if (part.split('\n').length > 5) document.execCommand('insertHTML', false, markup);
    if (this.text === old && wanted !== old) document.execCommand(part ? 'insertText' : 'delete', false, part);
    if (this.text !== wanted) this.area.value = wanted;
    this.isReplacing = false;
    this.area.setSelectionRange(start + text.length, start + text.length);
    this.onInput();
  }

  /// Marks ranges: `[start, end, class]`.
  mark(marks) {
    this.marks = [...marks].sort((a, b) => a[0] - b[0]);
    this.redraw();
  }

  /// Shows a range and puts the cursor there.
  select(start, end = start) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const line = this.text.slice(0, start).split('\n').length - 1;
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, line * height - this.area.clientHeight / 3);
    this.follow();
  }

  selectLine(line) {
    const lines = this.text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.select(start, start + (lines[line - 1] ?? '').length);
  }

  redraw() {
    // A last empty line has height only if something follows it.
    const text = this.text + '\n';
    if (text !== this.painted) {
      this.painted = text;
      this.pieces = rulesPieces(text);
      this.ends = [];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.ends.push(at + 1);
    }
    this.shown = null;
    const count = this.ends.length;
    if (count !== this.lineCount) {
      this.lineCount = count;
      this.gutter.textContent = Array.from({ length: count }, (_, index) => index + 1).join('\n');
    }
    this.follow();
  }

  /// Colours the lines in sight, with some before and after them.
  colour() {
    const height = parseFloat(getComputedStyle(this.area).lineHeight) || 20, around = 30;
    const first = Math.floor(this.area.scrollTop / height);
    const last = first + Math.ceil(this.area.clientHeight / height);
    if (this.shown && this.shown[0] <= first && this.shown[1] >= Math.min(last, this.ends.length)) return;
    const from = Math.max(0, first - around), to = Math.min(this.ends.length, last + around);
    this.shown = [from, to];
    paintRules(this.paint, this.painted, this.pieces, this.marks, [this.ends[from - 1] ?? 0, this.ends[to - 1] ?? 0]);
  }

  follow() {
    this.colour();
    this.paint.scrollTop = this.gutter.scrollTop = this.area.scrollTop;
    this.paint.scrollLeft = this.area.scrollLeft;
  }

  key(event) {
    if (event.key === 'Escape') { this.leaves = true; return; }
    if (event.key === 'Tab' && !this.leaves && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      const { selectionStart: start, selectionEnd: end } = this.area;
      const from = this.text.lastIndexOf('\n', start - 1) + 1;
      const block = this.text.slice(from, end);
      if (event.shiftKey) this.replace(from, end, block.replace(/^ {1,2}/gm, ''));
      else if (start === end) this.replace(start, end, '  ');
      else this.replace(from, end, block.replace(/^(?=.)/gm, '  '));
      return;
    }
    if (event.key !== 'Tab' && event.key !== 'Shift') this.leaves = false;
    if (event.key === 'Enter' && !event.ctrlKey && !event.isComposing) {
      const start = this.area.selectionStart;
      const line = this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, start);
      const indent = /^ */.exec(line)[0] + (/\{\s*$/.test(line) ? '  ' : '');
      if (indent) {
        event.preventDefault();
        this.replace(start, this.area.selectionEnd, '\n' + indent);
      }
    }
  }
}
