// What the page knows, and how it is kept: in memory, in this browser, and in links.

const methods = ['get', 'list', 'create', 'set', 'update', 'delete', 'batch'];
const providers = ['custom', 'password', 'google.com', 'apple.com', 'phone', 'anonymous', 'facebook.com',
  'github.com', 'twitter.com'];

const blankRequest = () => ({
  name: '', signedIn: true, uid: 'alice', provider: 'custom', claims: '', method: 'get', path: '/',
  before: '', data: '', merge: false, mask: '', writes: '', where: '', orderBy: '', limit: '', offset: '',
  group: false, stored: '', time: '', expect: '', follows: false,
});

const blankClaim = () => ({
  name: '', expect: '', path: '/users/{uid}', methods: 'write', writes: '', given: '', kind: 'onlyIf', through: '',
  condition: 'request.auth != null && request.auth.uid == uid',
});

const blankState = () => ({
  rules: [
    "rules_version = '2';",
    'service cloud.firestore {',
    '  match /databases/{database}/documents {',
    '    match /users/{uid} {',
    '      allow read, write: if request.auth.uid == uid;',
    '    }',
    '  }',
    '}',
    '',
  ].join('\n'),
  old: '', database: '', documents: '', requests: [{ ...blankRequest(), path: '/users/alice' }], selected: 0,
  claims: [blankClaim()], suite: '', tab: 'request', field: '',
  // How many claims of the suite say more than the form has room for, and how many of its requests are not here.
  claimsLeft: 0, requestsLeft: 0,
});

/// The state that an example is: its rules, those before them, its suite, and as many of its requests as one looks at.
function stateOfExample(example) {
  const state = { ...blankState(), rules: example.rules, old: example.old ?? '', suite: example.suite };
  if (!example.suite) return state;
  const suite = readJson(example.suite);
  state.documents = mergedDocuments('', member(suite, 'documents')?.members ?? []);
  state.database = databaseOfSuite(suite);
  takeTests(state, suite, 12);
  return soundState(state);
}

/// Makes requests and claims of those of a suite, of the requests so many; says what is left out.
function takeTests(state, suite, most) {
  const requests = requestsOfSuite(suite);
  state.requests = requests.slice(0, most);
  // A sequence that does not fit is left out as a whole.
  if (requests[most]?.follows) while (state.requests.length && state.requests.pop().follows) { /* One step less. */ }
  state.requestsLeft = requests.length - state.requests.length;
  if (!state.requests.length) state.requests = [blankRequest()];
  const claims = member(suite, 'claims')?.elements ?? [];
  const fitting = claims.map(claimFromSuite).filter(Boolean);
  if (claims.length) state.claims = fitting;
  state.claimsLeft = claims.length - fitting.length;
}

/// A sentence about tests and claims that the form leaves out; empty if there are none.
const leftWords = (count, noun) => (count ? `${plural(count, noun)} of the suite ${count === 1 ? 'is' : 'are'} not shown here` : '');

/// Most requests of a state: as many as are decided between two key presses.
const mostRequests = 200;

/// Text with the line ends that text areas have: what is counted in one text has to hold in the other.
const plainLines = (text) => text.replace(/\r\n?/g, '\n');

/// A state from data that somebody else may have made: every field of the right type or as it is in a
/// blank one. Throws if it is no state at all.
function soundState(data) {
  if (typeof data !== 'object' || data === null || typeof data.rules !== 'string') {
    throw new Error('it holds no rules');
  }
  const like = (model, given) => {
    const sound = { ...model };
    if (typeof given !== 'object' || given === null) return sound;
    for (const key of Object.keys(model)) {
      if (typeof given[key] !== typeof model[key] || Array.isArray(model[key])) continue;
      sound[key] = typeof given[key] === 'string' ? plainLines(given[key]) : given[key];
    }
    return sound;
  };
  const list = (given, blank, most) =>
    (Array.isArray(given) ? given : []).slice(0, most).map((one) => like(blank(), one));
  const state = like(blankState(), data);
  state.requests = list(data.requests, blankRequest, mostRequests);
  if (state.requests.length === 0) state.requests = [blankRequest()];
  for (const request of state.requests) {
    if (!methods.includes(request.method)) request.method = 'get';
    if (!['', 'allow', 'deny'].includes(request.expect)) request.expect = '';
  }
  state.claims = list(data.claims, blankClaim, 200);
  for (const claim of state.claims) if (!['', 'violated'].includes(claim.expect)) claim.expect = '';
  for (const claim of state.claims) if (!Object.hasOwn(obligations, claim.kind)) claim.kind = 'onlyIf';
  for (const claim of state.claims) if (!/^(any|[1-9]\d{0,2})?$/.test(claim.through)) claim.through = '';
  if (!Number.isInteger(state.selected) || !state.requests[state.selected]) state.selected = 0;
  return state;
}

// ---- Links

const linkPrefix = '#1.';
const longestLink = 200_000, longestState = 4_000_000;

async function stateToHash(state) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return linkPrefix + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/// The state in a link; null if the link carries none. Throws what is wrong with it, in a sentence.
async function stateFromHash(hash) {
  // Another hash leads to a part of the page, and none to nothing.
  if (hash.length < 2 || document.getElementById(hash.slice(1))) return null;
  if (!hash.startsWith(linkPrefix)) throw new Error('it is not of this page');
  if (hash.length > longestLink) throw new Error(`it is longer than ${longestLink} characters`);
  let bytes;
  try {
    const text = atob(hash.slice(linkPrefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    bytes = Uint8Array.from(text, (one) => one.charCodeAt(0));
  } catch { throw new Error('it was cut off or changed'); }
  // A small link can unpack to very much, so it is read piece by piece.
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      if (text.length > longestState) break;
    }
  } catch { throw new Error('it was cut off or changed'); }
  if (text.length > longestState) {
    reader.cancel();
    throw new Error('it unpacks to more than 4 MB');
  }
  let data;
  try { data = JSON.parse(text); } catch { throw new Error('it was cut off or changed'); }
  return soundState(data);
}

// ---- This browser

const storageKey = 'rules-check.playground.1', asideKey = 'rules-check.playground.aside.1';

function remember(state) {
  try { localStorage.setItem(storageKey, JSON.stringify(state)); } catch { /* Private windows keep nothing. */ }
}

function remembered() {
  try {
    const text = localStorage.getItem(storageKey);
    return text ? soundState(JSON.parse(text)) : null;
  } catch { return null; }
}
