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
  element.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

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

/// Says something to screen readers, and to everybody at the foot of the page.
function announce(message) {
  const line = byId('announcement');
  line.textContent = '';
  requestAnimationFrame(() => { line.textContent = message; });
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

/// A sentence of the engine: what stands between back-ticks is code.
function prose(text) {
  return text.split(/`([^`]*)`/).map((part, index) => (index % 2 ? h('code', {}, part) : part));
}
