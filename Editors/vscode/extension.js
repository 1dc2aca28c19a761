// Starts the language server and adds what the protocol has no words for: the reason of an `ignore` comment,
// the condition of a claim, and what tests cover.
'use strict';

const { execFile } = require('child_process');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const HOW_TO_GET_IT =
  'Install it with `pip install rules-check` or `npm install --global rules-check`, ' +
  'or build it with `swift build -c release`; then it is on the PATH, or say where it is.';

/** @type {LanguageClient | undefined} */
let client;
/** @type {Map<string, any>} What tests cover, by URI. */
const coverage = new Map();
let showsCoverage = true;

const marks = {
  both: mark('#2ea04380'),
  one: mark('#d2992280'),
  none: mark('#f8514980'),
};

function mark(color) {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: false,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    overviewRulerColor: color,
    borderWidth: '0 0 0 3px',
    borderStyle: 'solid',
    borderColor: color,
  });
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('rules-check.restart', restart),
    vscode.commands.registerCommand('rules-check.toggleCoverage', toggleCoverage),
    vscode.commands.registerCommand('rules-check.ignore', ignore),
    vscode.window.onDidChangeVisibleTextEditors(showAll),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('rules-check.path')) restart();
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      // What was covered is known of the text that was run; a new run tells it anew.
      if (coverage.delete(event.document.uri.toString())) showAll();
    }),
    ...Object.values(marks)
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

async function restart() {
  await client?.stop();
  client = undefined;
  await start();
}

function settings() {
  return vscode.workspace.getConfiguration('rules-check');
}

async function start() {
  const path = settings().get('path', 'rules-check');
  if (!(await canRun(path))) return tellHowToGetIt(path);
  const options = {
    documentSelector: [
      { language: 'firestore-rules' },
      { scheme: 'file', pattern: '**/*.suite.json' },
      { scheme: 'file', pattern: '**/.rulescheck.json' },
    ],
    initializationOptions: {
      deep: settings().get('deep'),
      runTests: settings().get('runTests'),
      seconds: settings().get('seconds'),
      coverage: true,
      asksForReasons: true,
    },
    middleware: { executeCommand: askForCondition },
  };
  const server = { command: path, args: ['lsp'] };
  client = new LanguageClient('rules-check', 'rules-check', server, options);
  client.onNotification('rules-check/coverage', (told) => {
    coverage.set(vscode.Uri.parse(told.uri).toString(), told.statements);
    showAll();
  });
  await client.start();
}

function canRun(path) {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 10000 }, (error) => resolve(!error));
  });
}

async function tellHowToGetIt(path) {
  const choose = 'Say where it is';
  const answer = await vscode.window.showErrorMessage(
    `The program \`${path}\` cannot be run. ${HOW_TO_GET_IT}`, choose);
  if (answer === choose) {
    vscode.commands.executeCommand('workbench.action.openSettings', 'rules-check.path');
  }
}

/** Asks for the condition of a claim before it is decided. */
async function askForCondition(command, args, next) {
  if (command !== 'rules-check.prove' || args.length > 3) return next(command, args);
  const condition = await vscode.window.showInputBox({
    title: `Prove: ${args[2].join(', ')} of ${args[1]} only if …`,
    value: 'request.auth != null',
    prompt: 'A condition of the rules language. It may use the wildcards of the path and functions of the file.',
  });
  return condition === undefined ? undefined : next(command, [...args, condition]);
}

/** Puts an `ignore` comment above a line, with the reason that somebody gives. */
async function ignore(uri, position, comment) {
  const reason = await vscode.window.showInputBox({
    title: 'Why may this be ignored?',
    validateInput: (text) => (text.trim() ? undefined : 'A reason is needed.'),
  });
  if (!reason) return;
  const edit = new vscode.WorkspaceEdit();
  const place = new vscode.Position(position.line, position.character);
  edit.insert(vscode.Uri.parse(uri), place, `${comment.trimEnd()} ${reason.trim()}\n`);
  await vscode.workspace.applyEdit(edit);
}

function toggleCoverage() {
  showsCoverage = !showsCoverage;
  showAll();
}

function showAll() {
  for (const editor of vscode.window.visibleTextEditors) {
    const statements = showsCoverage ? coverage.get(editor.document.uri.toString()) ?? [] : [];
    for (const [state, decoration] of Object.entries(marks)) {
      editor.setDecorations(decoration, statements.filter((one) => one.state === state).map(decorate));
    }
  }
}

function decorate({ range, granted, refused }) {
  const { start } = range;
  return {
    range: new vscode.Range(start.line, start.character, start.line, start.character),
    hoverMessage: granted + refused === 0
      ? 'no test tries this statement'
      : `tests: granted ${granted} times, not granted ${refused} times`,
  };
}

module.exports = { activate, deactivate };
