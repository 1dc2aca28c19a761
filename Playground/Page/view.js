// A tab whose answers take their time. Once what it asked about has changed, nothing is said of it any more.

class View {
  /// `slot` is what its questions are for.
  constructor(page, slot) {
    this.page = page;
    this.slot = slot;
    this.results = h('div', { class: 'results' });
  }

  /// Takes back what was said, and ends what is still being worked out.
  forget() {
    fill(this.results);
    this.page.drop(this.slot);
  }

  complain(text) { fill(this.results, h('p', { class: 'problem' }, text)); }
}
