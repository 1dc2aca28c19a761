// The extension with an editor and a language client that only write down what is asked of them.
//
//   node --test Editors/Tests/extension.test.js
'use strict';

const assert = require('node:assert');
const Module = require('node:module');
const path = require('node:path');
const test = require('node:test');

const said = [];
const commands = new Map();
let program = 'true';
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
    showErrorMessage: async (text) => { said.push(text); return answers.shift(); },
    showInputBox: async () => answers.shift(),
  },
  workspace: {
    getConfiguration: () => ({ get: (key, other) => (key === 'path' ? program : other) }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
    onDidChangeTextDocument: () => ({ dispose() {} }),
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
const extension = require(path.join(__dirname, '../vscode/extension.js'));
const manifest = require(path.join(__dirname, '../vscode/package.json'));

test('the server is started with what the protocol has no words for', async () => {
  await extension.activate({ subscriptions: [] });
  assert.equal(clients.length, 1);
  assert.deepEqual(clients[0].server, { command: 'true', args: ['lsp'] });
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
  assert.match(said[0], /pip install rules-check/);
  assert.match(said[1], /openSettings rules-check.path/);
});
