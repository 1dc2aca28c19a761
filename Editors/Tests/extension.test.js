// The extension with an editor and a language client that only write down what is asked of them.
//
//   node --test Editors/Tests/extension.test.js
'use strict';

const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const zlib = require('node:zlib');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rules-check-'));
test.after(() => fs.rmSync(scratch, { recursive: true }));

/** Puts a program there that answers `--version`, or that says something else. */
function put(name, says = 'rules-check 0.1.0') {
  const file = path.join(scratch, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
  return file;
}

const said = [];
const offered = [];
const commands = new Map();
const opened = [];
const languages = [];
let program = put('set/rules-check');
let answers = [];
const edits = [];
const decorated = [];

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
const editor = {
  document: { uri: { toString: () => 'file:///a.rules' } },
  setDecorations: (kind, places) => decorated.push({ kind: kind.color, count: places.length }),
};
const vscode = {
  OverviewRulerLane: { Left: 1 },
  ProgressLocation: { Notification: 15 },
  languages: { setTextDocumentLanguage: (document, id) => languages.push([path.basename(document.fileName), id]) },
  Position,
  Range: class { constructor(...all) { this.all = all; } },
  Uri: { parse: (text) => ({ toString: () => text }) },
  WorkspaceEdit: class { insert(uri, place, text) { edits.push({ uri: uri.toString(), place, text }); } },
  commands: {
    registerCommand: (name, run) => { commands.set(name, run); return { dispose() {} }; },
    executeCommand: (...all) => said.push(all.join(' ')),
  },
  window: {
    visibleTextEditors: [editor],
    createTextEditorDecorationType: (options) => ({ color: options.borderColor, dispose() {} }),
    onDidChangeVisibleTextEditors: () => ({ dispose() {} }),
    showErrorMessage: async (text, ...buttons) => {
      said.push(text);
      offered.push(buttons);
      return answers.shift();
    },
    withProgress: (options, run) => run(),
    showInputBox: async () => answers.shift(),
  },
  workspace: {
    getConfiguration: () => ({ get: (key, other) => (key === 'path' ? program : other) }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
    onDidChangeTextDocument: () => ({ dispose() {} }),
    onDidOpenTextDocument: (run) => { opened.push(run); return { dispose() {} }; },
    onDidGrantWorkspaceTrust: () => ({ dispose() {} }),
    textDocuments: [],
    isTrusted: true,
    applyEdit: async () => true,
  },
};
const clients = [];
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { server, options }); clients.push(this); }
  onNotification(method, run) { this.notified = { method, run }; }
  async start() { this.isRunning = true; }
  async stop() { this.isRunning = false; }
}

const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node') return { LanguageClient };
  return load(name, ...rest);
};
const home = path.join(__dirname, '../vscode');
const extension = require(path.join(home, 'extension.js'));
const finder = require(path.join(home, 'program.js'));
const manifest = require(path.join(home, 'package.json'));

test('the server is started with what the protocol has no words for', async () => {
  await extension.activate({ subscriptions: [], globalStorageUri: { fsPath: path.join(scratch, 'storage') } });
  assert.equal(clients.length, 1);
  assert.deepEqual(clients[0].server, { command: program, args: ['lsp'] });
  assert.ok(clients[0].isRunning);
  assert.ok(clients[0].options.initializationOptions.asksForReasons);
  for (const { command } of manifest.contributes.commands) assert.ok(commands.has(command), command);
});

test('a claim is decided once its condition is known', async () => {
  const { executeCommand } = clients[0].options.middleware;
  const next = (command, args) => [command, ...args];
  answers = ['owns(n)'];
  assert.deepEqual(
    await executeCommand('rules-check.prove', ['file:///a', '/n/{n}', ['get']], next),
    ['rules-check.prove', 'file:///a', '/n/{n}', ['get'], 'owns(n)']);
  answers = [undefined];
  assert.equal(await executeCommand('rules-check.prove', ['file:///a', '/n/{n}', ['get']], next), undefined);
  assert.deepEqual(await executeCommand('rules-check.runTests', ['u'], next), ['rules-check.runTests', 'u']);
});

test('an ignore comment gets the reason that somebody gives', async () => {
  answers = [' because '];
  await commands.get('rules-check.ignore')('file:///a', { line: 3, character: 0 }, '  // rules-check: ignore x ');
  assert.deepEqual(edits.map((edit) => edit.text), ['  // rules-check: ignore x because\n']);
  answers = [undefined];
  await commands.get('rules-check.ignore')('file:///a', { line: 3, character: 0 }, '// x');
  assert.equal(edits.length, 1);
});

test('what tests cover stands beside the statements, or does not', () => {
  assert.equal(clients[0].notified.method, 'rules-check/coverage');
  const statement = (state, granted, refused) =>
    ({ state, granted, refused, range: { start: { line: 1, character: 2 } } });
  clients[0].notified.run({ uri: 'file:///a.rules', statements: [statement('both', 1, 1), statement('none', 0, 0)] });
  assert.deepEqual(decorated.splice(0).map((one) => one.count), [1, 0, 1]);
  commands.get('rules-check.toggleCoverage')();
  assert.deepEqual(decorated.splice(0).map((one) => one.count), [0, 0, 0]);
});

test('without the program there is a word about how to get it', async () => {
  program = '/nowhere/rules-check';
  answers = ['Say where it is'];
  await commands.get('rules-check.restart')();
  assert.equal(clients.length, 1);
  assert.ok(!clients[0].isRunning);
  assert.match(said[0], /`\/nowhere\/rules-check` cannot be run.*pip install rules-check/);
  assert.match(said[1], /openSettings rules-check.path/);
  // Nothing is downloaded without a release, nor offered.
  assert.deepEqual(offered, [['Say where it is']]);
  said.length = 0;
  await commands.get('rules-check.download')();
  assert.match(said[0], /There is nothing to download/);
});

// Finding the program.

const where = (more) => ({
  setting: '', folders: [path.join(scratch, 'app')], trusted: true, environment: {}, platform: 'linux', arch: 'x64',
  downloaded: undefined, ...more,
});

test('a setting stands alone, and is read from the folder', () => {
  put('app/.venv/bin/rules-check');
  assert.deepEqual(finder.places(where({ setting: 'tools/rules-check' })), [path.join(scratch, 'app/tools/rules-check')]);
  assert.deepEqual(finder.places(where({ setting: '/opt/rules-check' })), ['/opt/rules-check']);
  assert.deepEqual(finder.places(where({ setting: 'rules-check-0.1' })), ['rules-check-0.1']);
});

test('the programs of the workspace come before the PATH, and that before what was downloaded', () => {
  const npm = put('app/node_modules/rules-check-linux-x64/bin/rules-check');
  const python = put('app/.venv/bin/rules-check');
  assert.deepEqual(finder.places(where({ downloaded: '/storage/rules-check' })),
    [npm, python, 'rules-check', '/storage/rules-check']);
  assert.deepEqual(finder.places(where({ environment: { VIRTUAL_ENV: '/venv' }, platform: 'darwin' })),
    [python, '/venv/bin/rules-check', 'rules-check']);
});

test('a workspace that is not trusted has no programs', () => {
  put('app/.venv/bin/rules-check');
  assert.deepEqual(finder.places(where({ trusted: false })), ['rules-check']);
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ['rules-check.path']);
});

test('what is not rules-check is passed over', async () => {
  const other = put('app/node_modules/rules-check-linux-x64/bin/rules-check', 'something else 1.0.0');
  const python = put('app/.venv/bin/rules-check', 'rules-check 0.2.1');
  assert.equal(await finder.versionOf(other), undefined);
  assert.deepEqual(await finder.find(where()), { path: python, version: '0.2.1' });
  assert.equal(await finder.find(where({ setting: '/nowhere/rules-check' })), undefined);
});

// Downloading it.

/** A tar archive of files, as the release has it. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write(text.length.toString(8).padStart(11, '0'), 124);
    head.write('0', 156);
    const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    body.write(text);
    return [head, body];
  });
  return zlib.gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const packed = tar({ LICENSE: 'x'.repeat(700), 'rules-check': '#!/bin/sh\necho rules-check 9.9.9\n' });
const sha256 = crypto.createHash('sha256').update(packed).digest('hex');
const serve = (status, bytes) => async () => ({ ok: status < 400, status, arrayBuffer: async () => bytes });

test('a download with the right checksum can be run', async () => {
  const folder = path.join(scratch, 'download');
  const archive = { url: 'https://example.com/a.tar.gz', sha256, version: '9.9.9' };
  const file = await finder.download(archive, folder, serve(200, packed));
  assert.equal(file, finder.home(folder, '9.9.9'));
  assert.equal(await finder.versionOf(file), '9.9.9');
});

test('a download that is not what was released is refused before it is unpacked', async () => {
  const folder = path.join(scratch, 'refused');
  const archive = { url: 'https://example.com/a.tar.gz', sha256, version: '9.9.9' };
  const other = Buffer.from(packed);
  other[other.length - 1] ^= 1;
  await assert.rejects(finder.download(archive, folder, serve(200, other)), /has the checksum .* It was not unpacked/);
  await assert.rejects(finder.download(archive, folder, serve(404, packed)), /answers 404/);
  assert.ok(!fs.existsSync(folder));
  const empty = tar({ LICENSE: '' });
  const digest = crypto.createHash('sha256').update(empty).digest('hex');
  await assert.rejects(finder.download({ ...archive, sha256: digest }, folder, serve(200, empty)), /has no rules-check/);
  assert.ok(!fs.existsSync(finder.home(folder, '9.9.9')));
});

test('the release of the extension says what there is for a machine', () => {
  const file = path.join(scratch, 'release.json');
  fs.writeFileSync(file, JSON.stringify({ version: '1.2.3', archives: { 'linux-x64': { url: 'u', sha256: 's' } } }));
  assert.deepEqual(finder.archiveFor('linux', 'x64', file), { version: '1.2.3', url: 'u', sha256: 's' });
  assert.equal(finder.archiveFor('win32', 'x64', file), undefined);
  assert.equal(finder.archiveFor('linux', 'x64', path.join(scratch, 'none.json')), undefined);
});

test('the download is offered, and happens only if it is chosen', async () => {
  const file = path.join(home, 'release.json');
  const key = `${process.platform}-${process.arch}`;
  fs.writeFileSync(file, JSON.stringify({ version: '9.9.9', archives: { [key]: { url: 'https://example.com', sha256 } } }));
  const before = globalThis.fetch;
  let asked = 0;
  globalThis.fetch = (...all) => { asked += 1; return serve(200, packed)(...all); };
  try {
    program = '/nowhere/rules-check';
    answers = [undefined];
    await commands.get('rules-check.restart')();
    assert.deepEqual(offered.at(-1), ['Download 9.9.9', 'Say where it is']);
    assert.equal(asked, 0);
    program = '';
    const path_ = process.env.PATH;
    process.env.PATH = '/nowhere';
    vscode.workspace.workspaceFolders = [];
    answers = ['Download 9.9.9'];
    const count = clients.length;
    // The program is a script of sh, which is named by its whole path.
    await commands.get('rules-check.restart')();
    process.env.PATH = path_;
    assert.equal(asked, 1);
    assert.equal(clients.length, count + 1);
    assert.equal(clients.at(-1).server.command, finder.home(path.join(scratch, 'storage'), '9.9.9'));
  } finally {
    globalThis.fetch = before;
    fs.rmSync(file);
  }
});

// What the marketplace needs.

test('files of rules are told by their service', () => {
  const open = (fileName, text, languageId = 'plaintext') =>
    opened.forEach((run) => run({ fileName, languageId, getText: () => text }));
  open('/a/app.rules', "// ours\nrules_version = '2';\nservice cloud.firestore {\n}");
  open('/a/storage.rules', "rules_version = '2';\nservice firebase.storage {\n}");
  open('/a/99-usb.rules', 'SUBSYSTEM=="usb"');
  open('/a/other.rules', 'service cloud.firestore {', 'udev');
  open('/a/notes.txt', 'service cloud.firestore {');
  assert.deepEqual(languages, [['app.rules', 'firestorerules']]);
});

test('the language is known by the id that other extensions use', () => {
  const [language] = manifest.contributes.languages;
  assert.equal(language.id, 'firestorerules');
  assert.equal(language.extensions, undefined);
  assert.deepEqual(clients[0].options.documentSelector.slice(0, 2),
    [{ language: 'firestorerules' }, { language: 'firerules' }]);
  for (const grammar of manifest.contributes.grammars) assert.equal(grammar.language, language.id);
});

test('the folder has what the marketplace shows', () => {
  const icon = fs.readFileSync(path.join(home, manifest.icon));
  assert.equal(icon.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [128, 128]);
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore', 'package-lock.json']) {
    assert.ok(fs.existsSync(path.join(home, file)), file);
  }
  const readme = fs.readFileSync(path.join(home, 'README.md'), 'utf8');
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map((found) => found[1]);
  assert.ok(pictures.length > 0);
  for (const picture of pictures) assert.ok(picture.endsWith('.png') && fs.existsSync(path.join(home, picture)), picture);
});

test('the lock file names each dependency with a checksum, and one that the editor can run', () => {
  const { packages } = require(path.join(home, 'package-lock.json'));
  assert.deepEqual(packages[''].dependencies, manifest.dependencies);
  assert.deepEqual(packages[''].engines, manifest.engines);
  for (const [name, entry] of Object.entries(packages)) {
    if (!name) continue;
    assert.match(entry.integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, name);
    for (const needed of Object.keys(entry.dependencies ?? {})) assert.ok(packages[`node_modules/${needed}`], needed);
  }
  assert.equal(packages['node_modules/vscode-languageclient'].engines.vscode, manifest.engines.vscode);
});
