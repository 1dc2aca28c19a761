// Requests between three forms: what the form holds, a test of a suite as text, and a test that was read.

const writesData = (method) => ['create', 'set', 'update'].includes(method);

/// A field whose text is no JSON.
class FieldError extends Error {
  constructor(field, message) { super(message); this.field = field; }
}

function jsonField(request, field, kind) {
  const text = request[field].trim();
  if (!text) return null;
  let value;
  try { value = readJson(text); } catch (error) {
    const before = text.slice(0, error.at).split('\n');
    throw new FieldError(field, `line ${before.length}, column ${before.at(-1).length + 1}: ${error.message}`);
  }
  if (kind && value.kind !== kind) throw new FieldError(field, `this is to be an ${kind}`);
  return value;
}

/// The token of a request as text, or null if there is nothing to say of it.
function tokenText(request) {
  const claims = jsonField(request, 'claims', 'object');
  const parts = (claims?.members ?? []).map(([key, value]) => `${JSON.stringify(key)}: ${value.raw}`);
  if (request.provider !== 'custom' && !member(claims, 'firebase')) {
    parts.push(`"firebase": { "sign_in_provider": ${JSON.stringify(request.provider)} }`);
  }
  return parts.length ? `{ ${parts.join(', ')} }` : null;
}

/// The members of a test, as `[key, text]`. Throws `FieldError`.
function testMembers(request, { expecting = request.expect || 'allow' } = {}) {
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
    if (request.method === 'set' && request.merge) members.push(['merge', 'true']);
  }
  if (request.method === 'list') {
    const query = [];
    const where = jsonField(request, 'where', 'array');
    if (where) query.push(`"where": ${where.raw}`);
    const order = jsonField(request, 'orderBy', 'array');
    if (order) query.push(`"orderBy": ${order.raw}`);
    if (request.limit) {
      if (!/^\d+$/.test(request.limit)) throw new FieldError('limit', 'this is to be a whole number');
      query.push(`"limit": ${request.limit}`);
    }
    if (query.length) members.push(['query', `{ ${query.join(', ')} }`]);
    if (request.group) members.push(['collectionGroup', 'true']);
  } else if (request.method !== 'batch') {
    const before = jsonField(request, 'before', 'object');
    if (before) members.push(['documents', `{ ${JSON.stringify(request.path)}: ${before.raw} }`]);
  }
  members.push(['expect', JSON.stringify(expecting)]);
  return members;
}

/// A test as text of a suite.
function testText(request, indent = '    ') {
  const lines = testMembers(request).map(([key, text]) =>
    `${indent}  ${JSON.stringify(key)}: ${layJson(readJson(text), indent + '  ')}`);
  return `${indent}{\n${lines.join(',\n')}\n${indent}}`;
}

/// The suite of some requests, for the engine: on one line a test, without the values of names.
function liveSuite(requests, documents) {
  const tests = requests.map((request) =>
    `{${testMembers(request).map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(', ')}}`);
  const stored = documents ? `"documents": ${documents.raw},\n` : '';
  return `{${stored}"tests": [\n${tests.join(',\n')}\n]}`;
}

// ---- From tests

/// A request from a test that was read; `users` and `documents` are those of its suite.
function requestFromTest(test, { users, documents, as } = {}) {
  const request = { ...blankRequest(), signedIn: false, uid: '', path: '/' };
  request.name = member(test, 'name')?.text ?? '';
  const method = methods.find((one) => member(test, one));
  if (!method) throw new Error('this test has several steps; the form holds one request');
  request.method = method;
  if (method === 'batch') request.writes = layJson(member(test, 'batch'));
  else request.path = member(test, method).text ?? '/';
  let who = as ?? member(test, 'as');
  if (who?.kind === 'array') who = who.elements[0];
  if (who?.kind === 'string') who = member(users, who.text) ?? who;
  takePrincipal(who, request);
  const data = member(test, 'data');
  if (data) request.data = layJson(data);
  request.merge = member(test, 'merge')?.kind === 'true';
  request.time = member(test, 'time')?.text ?? '';
  request.group = member(test, 'collectionGroup')?.kind === 'true';
  request.expect = member(test, 'expect')?.text ?? '';
  const query = member(test, 'query');
  if (member(query, 'where')) request.where = layJson(member(query, 'where'));
  if (member(query, 'orderBy')) request.orderBy = layJson(member(query, 'orderBy'));
  request.limit = member(query, 'limit')?.raw ?? '';
  const stored = [...(documents?.members ?? []), ...(member(test, 'documents')?.members ?? [])];
  const own = stored.findLast(([path]) => path === request.path);
  if (own && own[1].kind === 'object') request.before = layJson(own[1]);
  return { request, others: stored.filter(([path]) => path !== request.path || request.method === 'list') };
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

/// All requests of a suite, groups opened, a request for each who asks.
function requestsOfSuite(suite) {
  const users = member(suite, 'users'), found = [];
  const visit = (tests, documents, names) => {
    for (const test of tests?.elements ?? []) {
      const inner = member(test, 'tests');
      const own = { members: [...(documents?.members ?? []), ...(member(test, 'documents')?.members ?? [])] };
      if (inner) { visit(inner, own, [...names, member(test, 'group')?.text ?? '']); continue; }
      if (!methods.some((one) => member(test, one))) continue;
      const who = member(test, 'as');
      for (const as of who?.kind === 'array' ? who.elements : [who]) {
        const { request } = requestFromTest(test, { users, documents, as });
        request.name = [...names, request.name].filter(Boolean).join(' › ');
        if (who?.kind === 'array') request.name += ` (${as.kind === 'null' ? 'signed out' : as.text ?? 'somebody'})`;
        request.time ||= member(suite, 'time')?.text ?? '';
        found.push(request);
      }
    }
  };
  visit(member(suite, 'tests'), member(suite, 'documents'), []);
  return found;
}

/// A request in a few words.
function requestTitle(request) {
  if (request.name) return request.name;
  const who = request.signedIn ? request.uid || 'a user' : 'nobody';
  return `${request.method} ${request.method === 'batch' ? '' : request.path} as ${who}`;
}
