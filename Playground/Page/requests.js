// Requests between three forms: what the form holds, a test of a suite as text, and a test that was read.

const writesData = (method) => ['create', 'set', 'update'].includes(method);

/// A field whose text is no JSON.
class FieldError extends Error {
  constructor(field, message) { super(message); this.field = field; }
}

function jsonField(request, field, kind) {
  const text = request[field];
  if (!text.trim()) return null;
  let value;
  try { value = readJson(text); } catch (error) {
    const before = text.slice(0, error.at).split('\n');
    throw new FieldError(field, `line ${before.length}, column ${before.at(-1).length + 1}: ${error.message}`);
  }
  if (kind && value.kind !== kind) throw new FieldError(field, `this is to be an ${kind}`);
  return value;
}

function numberField(request, field) {
  if (request[field] && !/^\d+$/.test(request[field])) throw new FieldError(field, 'this is to be a whole number');
  return request[field];
}

/// Which requests follow each other, as lists of indices: each list is one test.
function chainsOf(requests) {
  const chains = [];
  requests.forEach((one, index) => {
    if (one.follows && index) chains.at(-1).push(index); else chains.push([index]);
  });
  return chains;
}

const chainWith = (requests, index) => chainsOf(requests).find((one) => one.includes(index));

/// The words of a list with commas.
const listed = (text) => text.split(',').map((one) => one.trim()).filter(Boolean);

/// The token of a request as text, or null if there is nothing to say of it.
function tokenText(request) {
  const claims = jsonField(request, 'claims', 'object');
  const parts = (claims?.members ?? []).map(([key, value]) => `${JSON.stringify(key)}: ${value.raw}`);
  if (request.provider !== 'custom' && !member(claims, 'firebase')) {
    parts.push(`"firebase": { "sign_in_provider": ${JSON.stringify(request.provider)} }`);
  }
  return parts.length ? `{ ${parts.join(', ')} }` : null;
}

/// What is stored for this request alone, as text; null if it says nothing of that.
function storedText(request) {
  const stored = jsonField(request, 'stored', 'object')?.members ?? [];
  const all = new Map(stored.map(([path, value]) => [path, value.raw]));
  const before = ['list', 'batch'].includes(request.method) ? null : jsonField(request, 'before', 'object');
  if (before) all.set(request.path, before.raw);
  if (all.size === 0) return null;
  return `{ ${[...all].map(([path, raw]) => `${JSON.stringify(path)}: ${raw}`).join(', ')} }`;
}

/// The members of a test, as `[key, text]`; a step finds what those before it left. Throws `FieldError`.
function testMembers(request, { expecting = request.expect || 'allow', isStep = false } = {}) {
  const members = [];
  if (request.name) members.push(['name', JSON.stringify(request.name)]);
  if (request.signedIn) {
    const token = tokenText(request);
    members.push(['as', `{ "uid": ${JSON.stringify(request.uid)}${token ? `, "token": ${token}` : ''} }`]);
  } else members.push(['as', 'null']);
  if (request.time) members.push(['time', JSON.stringify(request.time)]);
  if (request.method === 'batch') {
    members.push(['batch', jsonField(request, 'writes', 'array')?.raw ?? '[]']);
  } else {
    members.push([request.method, JSON.stringify(request.path)]);
  }
  if (writesData(request.method)) {
    members.push(['data', jsonField(request, 'data', 'object')?.raw ?? '{}']);
    if (request.method === 'set' && request.merge) {
      members.push(['merge', request.mask.trim() ? JSON.stringify(listed(request.mask)) : 'true']);
    }
  }
  if (request.method === 'list') {
    const query = [];
    for (const key of ['where', 'orderBy']) {
      const value = jsonField(request, key, 'array');
      if (value) query.push(`"${key}": ${value.raw}`);
    }
    for (const key of ['limit', 'offset']) {
      if (numberField(request, key)) query.push(`"${key}": ${request[key]}`);
    }
    if (query.length) members.push(['query', `{ ${query.join(', ')} }`]);
    if (request.group) members.push(['collectionGroup', 'true']);
  }
  const stored = isStep ? null : storedText(request);
  if (stored) members.push(['documents', stored]);
  members.push(['expect', JSON.stringify(expecting)]);
  return members;
}

const objectText = (members) => `{${members.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(', ')}}`;

/// The members of the test that requests are which follow each other; `expecting` says what of each.
function chainMembers(chain, expecting = (one) => one.expect || 'allow') {
  const [head] = chain;
  if (chain.length === 1) return testMembers(head, { expecting: expecting(head) });
  const members = head.name ? [['name', JSON.stringify(head.name)]] : [];
  const stored = storedText(head);
  if (stored) members.push(['documents', stored]);
  const steps = chain.map((one) =>
    objectText(testMembers(one === head ? { ...one, name: '' } : one, { expecting: expecting(one), isStep: true })));
  return [...members, ['steps', `[\n${steps.join(',\n')}\n]`]];
}

/// A test as text of a suite.
function testText(chain, expecting, indent = '    ') {
  // A sequence is called by its requests anyway.
  const named = [chain.length > 1 ? chain[0] : { ...chain[0], name: requestTitle(chain[0]) }, ...chain.slice(1)];
  const lines = chainMembers(named, (one) => expecting(one === named[0] ? chain[0] : one)).map(([key, text]) =>
    `${indent}  ${JSON.stringify(key)}: ${layJson(readJson(text), indent + '  ')}`);
  return `${indent}{\n${lines.join(',\n')}\n${indent}}`;
}

/// The suite of some chains of requests, for the engine: its text, and the line in which each test begins.
function liveSuite(chains, documents, expecting) {
  let text = `{${documents ? `"documents": ${documents.raw},\n` : ''}"tests": [\n`;
  let line = text.split('\n').length;
  const lines = chains.map((chain, index) => {
    const test = objectText(chainMembers(chain, expecting)) + (index < chains.length - 1 ? ',\n' : '\n');
    const start = line;
    text += test;
    line += test.split('\n').length - 1;
    return start;
  });
  return { text: `${text}]}`, lines };
}

// ---- From tests

/// The requests of a test that was read: one, or those that its steps are. `users` and `documents` are those of
/// its suite, `own` the documents of its groups; `as` and `time` hold where the test says nothing.
function requestsFromTest(test, { users, documents, own, as, time } = {}) {
  const given = [...(own?.members ?? []), ...(member(test, 'documents')?.members ?? [])];
  const steps = member(test, 'steps')?.elements;
  const requests = (steps ?? [test]).map((one, index) => {
    const request = requestFromStep(one, users, as);
    request.follows = index > 0;
    request.time = member(one, 'time')?.text ?? (index ? '' : member(test, 'time')?.text ?? time ?? '');
    return request;
  });
  const [head] = requests;
  if (!head) return [];
  if (steps) head.name = [member(test, 'name')?.text, head.name].filter(Boolean).join(' › ');
  const isOwn = ([path]) => path === head.path && !['list', 'batch'].includes(head.method);
  const before = [...(documents?.members ?? []), ...given].findLast(isOwn);
  if (before?.[1].kind === 'object') head.before = layJson(before[1]);
  head.stored = mergedDocuments('', given.filter((one) => !isOwn(one)));
  return requests;
}

function requestFromStep(test, users, as) {
  const request = { ...blankRequest(), signedIn: false, uid: '', path: '/' };
  request.name = member(test, 'name')?.text ?? '';
  request.method = methods.find((one) => member(test, one)) ?? 'get';
  if (request.method === 'batch') request.writes = layJson(member(test, 'batch'));
  else request.path = member(test, request.method)?.text ?? '/';
  takePrincipal(resolved(as ?? member(test, 'as'), users), request);
  const data = member(test, 'data');
  if (data) request.data = layJson(data);
  const merge = member(test, 'merge');
  request.merge = Boolean(merge) && merge.kind !== 'false';
  request.mask = (merge?.elements ?? []).map((one) => one.text).join(', ');
  request.group = member(test, 'collectionGroup')?.kind === 'true';
  request.expect = member(test, 'expect')?.text ?? '';
  const query = member(test, 'query');
  for (const key of ['where', 'orderBy']) if (member(query, key)) request[key] = layJson(member(query, key));
  for (const key of ['limit', 'offset']) request[key] = member(query, key)?.raw ?? '';
  return request;
}

/// Who is meant: the first of a list, and of a name what the suite says of it.
function resolved(who, users) {
  const one = who?.kind === 'array' ? who.elements[0] : who;
  return one?.kind === 'string' ? member(users, one.text) ?? one : one;
}

function takePrincipal(who, request) {
  if (!who || who.kind === 'null') return;
  request.signedIn = true;
  if (who.kind === 'string') { request.uid = who.text; return; }
  request.uid = member(who, 'uid')?.text ?? '';
  const token = member(who, 'token');
  if (!token?.members) return;
  const provider = member(member(token, 'firebase'), 'sign_in_provider')?.text;
  let claims = token.members;
  if (provider && providers.includes(provider) && member(token, 'firebase').members.length === 1) {
    request.provider = provider;
    claims = claims.filter(([key]) => key !== 'firebase');
  }
  if (claims.length) {
    request.claims = layJson(readJson(
      `{${claims.map(([key, value]) => `${JSON.stringify(key)}: ${value.raw}`).join(',')}}`));
  }
}

/// Documents as text: those there are, with others that replace them.
function mergedDocuments(text, others) {
  let present = [];
  try { present = text.trim() ? readJson(text).members : []; } catch { return text; }
  if (!present) return text;
  const all = new Map(present);
  for (const [path, value] of others) all.set(path, value);
  if (all.size === 0) return '';
  const lines = [...all].map(([path, value]) => `  ${JSON.stringify(path)}: ${layJson(value, '  ')}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/// The database that a suite names; empty if it names none, or several.
const databaseOfSuite = (suite) => {
  const named = member(suite, 'database');
  return named?.kind === 'string' ? named.text : '';
};

/// All requests of a suite, groups opened, a request for each who asks.
function requestsOfSuite(suite) {
  const users = member(suite, 'users'), documents = member(suite, 'documents'), found = [];
  const visit = (tests, outer, names) => {
    for (const test of tests?.elements ?? []) {
      const inner = member(test, 'tests');
      const who = member(test, 'as') ?? outer.as, time = member(test, 'time')?.text ?? outer.time;
      if (inner) {
        const own = { members: [...outer.own.members, ...(member(test, 'documents')?.members ?? [])] };
        visit(inner, { own, as: who, time }, [...names, member(test, 'group')?.text ?? '']);
        continue;
      }
      const isSequence = member(test, 'steps');
      if (!isSequence && !methods.some((one) => member(test, one))) continue;
      const several = !isSequence && who?.kind === 'array';
      for (const as of several ? who.elements : [isSequence ? undefined : who]) {
        const requests = requestsFromTest(test, { users, documents, own: outer.own, as, time });
        if (!requests.length) continue;
        // A step that names nobody is asked by whom the group names.
        if (isSequence) requests.forEach((one, index) => {
          if (!member(isSequence.elements[index], 'as')) takePrincipal(resolved(outer.as, users), one);
        });
        const [head] = requests;
        head.name = [...names, head.name].filter(Boolean).join(' › ');
        if (several) head.name += ` (${as.kind === 'null' ? 'signed out' : as.text ?? 'somebody'})`;
        found.push(...requests);
      }
    }
  };
  visit(member(suite, 'tests'), { own: { members: [] }, time: member(suite, 'time')?.text }, []);
  return found;
}

/// A request in a few words.
function requestTitle(request) {
  if (request.name) return request.name;
  const who = request.signedIn ? request.uid || 'a user' : 'nobody';
  return `${request.method} ${request.method === 'batch' ? '' : request.path} as ${who}`;
}
