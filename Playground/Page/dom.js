// Elements without markup in strings: what users and rules write only ever becomes text.

/// An element with attributes and children. `on…` attributes are listeners; null and false are left out.
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...solid(children));
  return element;
}

/// The children that there are, of lists in lists.
const solid = (children) => children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false);

/// Puts children in the place of those of an element; lists among them are opened, as by `h`.
function fill(element, ...children) { element?.replaceChildren(...solid(children)); }

const byId = (id) => document.getElementById(id);

/// A field with its label; `hint` stands below and is read with it.
function labelled(label, control, hint) {
  const id = control.id || (control.id = `field-${++labelled.count}`);
  const parts = [h('label', { for: id }, label), control];
  if (hint) {
    control.setAttribute('aria-describedby', `${id}-hint`);
    parts.push(h('small', { id: `${id}-hint` }, hint));
  }
  return h('div', { class: 'field' }, ...parts);
}
labelled.count = 0;

/// Says something to everybody, where nobody can overlook it, and to screen readers; with an `action`, a button of
/// that name beside it does what `act` does.
function announce(message, action = '', act = null) {
  const line = byId('announcement'), button = byId('toast-action');
  line.textContent = '';
  button.hidden = !action;
  button.textContent = action;
  button.onclick = () => { hush(); act(); };
  clearTimeout(announce.timer);
  requestAnimationFrame(() => { line.textContent = message; });
  // Time enough to read it, and more to do something about it.
  announce.timer = setTimeout(hush, (action ? 12_000 : 5000) + 50 * message.length);
}

/// Takes back what was announced.
function hush() {
  clearTimeout(announce.timer);
  byId('announcement').textContent = '';
  byId('toast-action').hidden = true;
}

/// A moment's rest after the last call; `now` does at once what still waits.
function debounce(milliseconds, body) {
  let timer = null;
  const now = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    body();
  };
  const later = () => { clearTimeout(timer); timer = setTimeout(now, milliseconds); };
  return Object.assign(later, { now });
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/// A page in the Markdown that findings are explained in: headings, lists, code and paragraphs.
function markdown(text) {
  const parts = [];
  let code = null, lines = [];
  const list = () => lines.every((one) => /^([-*] |  )/.test(one));
  const end = () => {
    const [first] = lines, heading = /^(#+) +(.*)/.exec(first ?? '');
    if (heading) parts.push(h(heading[1].length > 1 ? 'h4' : 'h3', {}, prose(heading[2])));
    else if (lines.length && list()) {
      const items = lines.join('\n').split(/\n?[-*] /).slice(1);
      parts.push(h('ul', {}, items.map((one) => h('li', {}, prose(one.replace(/\s+/g, ' '))))));
    } else if (lines.length) parts.push(h('p', {}, prose(lines.join(' '))));
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (/^\x60{3}/.test(line)) {
      if (code) parts.push(h('pre', { class: 'code', tabindex: '0' }, code.join('\n'))); else end();
      code = code ? null : [];
    } else if (code) code.push(line);
    else if (!line.trim()) end();
    else {
      if (line.startsWith('#')) end();
      lines.push(line);
      if (line.startsWith('#')) end();
    }
  }
  end();
  return parts;
}

/// Text painted as for a terminal, as pieces with classes: what `Palette` writes, and nothing else.
function painted(text) {
  const names = { 1: 'strong', '1;31': 'false', '1;33': 'warning', '1;34': 'info', 2: 'dim', 32: 'true' };
  let name = '';
  return text.split(/\x1b\[([\d;]*)m/).map((part, index) => {
    if (index % 2) { name = names[part] ?? ''; return ''; }
    return name && part ? h('span', { class: `p-${name}` }, part) : part;
  });
}

/// A sentence of the engine: what stands between back-ticks is code.
function prose(text) {
  return text.split(/`([^`]*)`/).map((part, index) => (index % 2 ? h('code', {}, part) : part));
}
