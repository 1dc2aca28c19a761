// The form of one request.

/// Fields of the form that all requests share.
const sharedFields = ['documents', 'database'];

class RequestForm {
  /// `onChange` is called after every change of a field; `paths` gives patterns for completion.
  constructor(root, onChange) {
    this.onChange = onChange;
    this.controls = {};
    this.fields = {};
    const text = (name, label, attributes, hint) => this.add(name, label, h('input', {
      type: 'text', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', ...attributes }), hint);
    const json = (name, label, rows, placeholder, hint) => this.add(name, label, h('textarea', {
      rows, spellcheck: 'false', autocapitalize: 'off', placeholder }), hint);
    const choice = (name, label, options) =>
      this.add(name, label, h('select', {}, options.map(([value, word]) => h('option', { value }, word))));
    const check = (name, label) => {
      const box = h('input', { type: 'checkbox', id: `box-${name}` });
      this.bind(name, box);
      return this.fields[name] = h('div', { class: 'field check' }, box, h('label', { for: box.id }, label));
    };
    this.paths = h('datalist', { id: 'paths' });
    fill(root,
      h('fieldset', { class: 'row' }, h('legend', {}, 'What'),
        choice('method', 'Method', methods.map((one) => [one, one])),
        text('path', 'Path', { list: 'paths', class: 'wide' },
          'of a document; for list, of a collection'),
        this.paths,
        check('follows', 'runs after the previous request, on the documents that it leaves'),
        json('writes', 'Writes that commit together', 4, '[{ "update": "/users/alice", "data": {} }]')),
      h('fieldset', { class: 'row' }, h('legend', {}, 'Who'),
        choice('signedIn', 'Client', [['yes', 'signed in'], ['', 'signed out']]),
        text('uid', 'User ID', {}), choice('provider', 'Provider', providers.map((one) => [one, one])),
        json('claims', 'Token and custom claims', 2, '{ "admin": true, "email": "a@example.com" }')),
      h('fieldset', { class: 'row pair' }, h('legend', {}, 'Data'),
        json('before', 'Stored document', 4, 'not stored', 'as it is before the request'),
        json('data', 'Data written', 4, '{ "fcmToken": "new" }',
          'values as in suites: {"$timestamp": …}, {"$delete": true}, {"$serverTimestamp": true}'),
        check('merge', 'merge into what is stored'),
        text('mask', 'Only these fields', { placeholder: 'all that is written' }),
        json('where', 'Filters', 2, '[["owner", "==", "alice"]]'),
        json('orderBy', 'Order', 1, '[["name", "desc"]]'), text('limit', 'Limit', { inputmode: 'numeric' }),
        text('offset', 'Offset', { inputmode: 'numeric' }),
        check('group', 'all collections of that name')),
      h('details', { id: 'more-fields' }, h('summary', {}, 'Other documents, time, database, expectation, name'),
        h('fieldset', { class: 'row' }, h('legend', { class: 'hidden' }, 'More'),
          this.add('documents', 'Other stored documents, for all requests', h('textarea', {
            rows: 4, spellcheck: 'false', placeholder: '{ "/rooms/r1": { "members": ["alice"] } }' })),
          json('stored', 'Other stored documents, for this request alone', 4, '{ "/rooms/r1": { "members": [] } }'),
          text('time', 'request.time', { placeholder: 'now' }),
          text('database', 'Database, for all requests', { placeholder: '(default)' },
            'the one that the rules are deployed to, as in firebase.json'),
          choice('expect', 'Expected', [['', 'nothing'], ['allow', 'allow'], ['deny', 'deny']]),
          text('name', 'Name', { placeholder: 'what it shows' }))));
  }

  add(name, label, control, hint) {
    this.bind(name, control);
    const field = labelled(label, control, hint);
    this.controls[name].problem = h('p', { class: 'problem', id: `${control.id}-problem`, hidden: true });
    field.append(this.controls[name].problem);
    return this.fields[name] = field;
  }

  bind(name, control) {
    this.controls[name] = { control, problem: null };
    control.addEventListener(control.tagName === 'SELECT' || control.type === 'checkbox' ? 'change' : 'input',
      () => {
        const { method } = this.request;
        this.take(name);
        if (name === 'method') this.changePath(method);
        this.show();
        this.onChange();
      });
  }

  /// Makes the path of a document that of its collection for a list, and back.
  changePath(before) {
    const { request } = this, segments = request.path.split('/').filter(Boolean);
    const isDocument = segments.length > 0 && segments.length % 2 === 0;
    if (request.method === 'list' && isDocument) {
      this.dropped = { path: '/' + segments.slice(0, -1).join('/'), last: segments.at(-1) };
      request.path = this.dropped.path;
    } else if (before === 'list' && this.dropped?.path === request.path) {
      request.path += `/${this.dropped.last}`;
    }
    this.controls.path.control.value = request.path;
  }

  /// The document at the path of the request that several requests share; empty if there is none.
  storedElsewhere() {
    const { request, state } = this;
    for (const [owner, field, words] of [[request, 'stored', 'below, for this request'], [state, 'documents', 'below, for all requests']]) {
      try {
        const found = member(jsonField(owner, field, 'object'), request.path);
        if (found) return `stored ${words}:\n${layJson(found)}`;
      } catch { /* What cannot be read is complained of at its field. */ }
    }
    return '';
  }

  take(name) {
    const { control } = this.controls[name];
    const value = control.type === 'checkbox' ? control.checked : control.value;
    if (sharedFields.includes(name)) this.state[name] = value;
    else this.request[name] = name === 'signedIn' ? value === 'yes' : value;
  }

  /// Shows a request of a state.
  load(state) {
    this.state = state;
    this.request = state.requests[state.selected];
    for (const [name, { control }] of Object.entries(this.controls)) {
      const value = sharedFields.includes(name) ? state[name] : this.request[name];
      if (control.type === 'checkbox') control.checked = value;
      else control.value = name === 'signedIn' ? (value ? 'yes' : '') : value;
    }
    this.show();
  }

  /// Only what the method has is there.
  show() {
    const { method, signedIn, merge } = this.request;
    const isFirst = this.state.selected === 0, isStep = !isFirst && this.request.follows;
    const wanted = {
      path: method !== 'batch', writes: method === 'batch', uid: signedIn, provider: signedIn, claims: signedIn,
      before: !isStep && !['list', 'batch'].includes(method), data: writesData(method), merge: method === 'set',
      mask: method === 'set' && merge, where: method === 'list', orderBy: method === 'list',
      limit: method === 'list', offset: method === 'list', group: method === 'list',
      follows: !isFirst, stored: !isStep,
    };
    for (const [name, isShown] of Object.entries(wanted)) this.fields[name].hidden = !isShown;
    this.controls.time.control.placeholder = isStep ? 'as before' : 'now';
    this.controls.before.control.placeholder = this.storedElsewhere() || 'not stored';
  }

  /// Puts a complaint at its field; none without an argument.
  complain(error) {
    for (const [name, { control, problem }] of Object.entries(this.controls)) {
      const isIt = error?.field === name;
      if (problem) {
        problem.hidden = !isIt;
        fill(problem, isIt ? [error.message, this.mending(name, control)] : '');
      }
      if (isIt) control.setAttribute('aria-invalid', 'true'); else control.removeAttribute('aria-invalid');
    }
  }

  /// A button that puts quotes where JSON wants them, if that is all that is wrong.
  mending(name, control) {
    const text = quotedJson(control.value);
    if (text === null) return '';
    return [' ', h('button', { type: 'button', onclick: () => {
      control.value = text;
      control.dispatchEvent(new Event('input'));
      control.focus();
    } }, 'Write it with quotes')];
  }

  /// Paths of documents that match blocks are about, with names in the place of captures.
  complete(patterns) {
    const samples = patterns.filter((one) => !one.startsWith('/databases')).flatMap((pattern) => {
      const filled = pattern.replace(/\{(\w+)(=\*\*)?\}/g, (_, name) =>
        /^(u|user)?_?id$|user/i.test(name) ? 'alice' : name.replace(/_?id$/i, '') + '1');
      return [filled];
    });
    fill(this.paths, ...[...new Set(samples)].map((value) => h('option', { value })));
  }
}
