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
    root.replaceChildren(this.gutter, h('div', { class: 'sheet' }, this.paint, this.area));
    root.classList.add('editor');
    this.area.addEventListener('input', () => { this.marks = []; this.redraw(); onInput(); });
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

  /// Puts text in the place of a range so that the browser's undo takes it back.
  replace(start, end, text) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    if (!document.execCommand('insertText', false, text)) {
      this.area.setRangeText(text, start, end, 'end');
      this.area.dispatchEvent(new Event('input'));
    }
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
    paintRules(this.paint, this.text + '\n', this.marks);
    const count = this.text.split('\n').length;
    if (count !== this.lineCount) {
      this.lineCount = count;
      this.gutter.textContent = Array.from({ length: count }, (_, index) => index + 1).join('\n');
    }
    this.follow();
  }

  follow() {
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
