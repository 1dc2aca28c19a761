// Starts the language server and adds what the protocol has no words for: the reason of an `ignore` comment,
// the condition of a claim, and what tests cover.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const program = require('./program');

const HOW_TO_GET_IT = 'Install it with `pip install rules-check` or `npm install --save-dev rules-check`, or say where it is.';
const NOT_FOR_WINDOWS = 'There is no build for Windows. Reopen the folder in WSL and install it there.';
/** The ids under which extensions know Firestore's rules; ours is the first. */
const LANGUAGES = ['firestorerules', 'firerules'];

/** @type {LanguageClient | undefined} */
let client;
/** Where downloaded programs are. */
let storage;
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
  storage = context.globalStorageUri.fsPath;
  context.subscriptions.push(
    vscode.commands.registerCommand('rules-check.restart', restart),
    vscode.commands.registerCommand('rules-check.download', download),
    vscode.workspace.onDidOpenTextDocument(recognise),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
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
  vscode.workspace.textDocuments.forEach(recognise);
  await start();
}

/**
 * Takes a file of rules for what it is. Other programs have `*.rules`, too, and so has Cloud Storage: the language
 * is not said of the extension, but of the line that names the service.
 */
function recognise(document) {
  if (document.languageId !== 'plaintext' || !document.fileName.endsWith('.rules')) return;
  if (!/^\s*service\s+cloud\.firestore\b/m.test(document.getText())) return;
  vscode.languages.setTextDocumentLanguage(document, LANGUAGES[0]);
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

/** Where the program is looked for. */
function where() {
  const archive = program.archiveFor(process.platform, process.arch);
  return {
    setting: settings().get('path', ''),
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    environment: process.env,
    platform: process.platform,
    arch: process.arch,
    downloaded: archive && program.home(storage, archive.version),
  };
}

async function start() {
  const found = await program.find(where());
  if (!found) return tellHowToGetIt();
  const options = {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ language })),
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
  const server = { command: found.path, args: ['lsp'] };
  client = new LanguageClient('rules-check', 'rules-check', server, options);
  client.onNotification('rules-check/coverage', (told) => {
    coverage.set(vscode.Uri.parse(told.uri).toString(), told.statements);
    showAll();
  });
  await client.start();
}

async function tellHowToGetIt() {
  const setting = settings().get('path', '');
  const archive = program.archiveFor(process.platform, process.arch);
  const missing = setting
    ? `The program \`${setting}\` cannot be run, or is not rules-check.`
    : 'The program rules-check was not found.';
  const say = 'Say where it is';
  const fetch = archive && `Download ${archive.version}`;
  const help = process.platform === 'win32' ? NOT_FOR_WINDOWS : HOW_TO_GET_IT;
  const answer = await vscode.window.showErrorMessage(`${missing} ${help}`, ...(fetch ? [fetch] : []), say);
  if (answer === say) vscode.commands.executeCommand('workbench.action.openSettings', 'rules-check.path');
  if (fetch && answer === fetch) await download();
}

/** Downloads the program of this extension's release, because somebody asked for it, and starts it. */
async function download() {
  const archive = program.archiveFor(process.platform, process.arch);
  if (!archive) {
    vscode.window.showErrorMessage(process.platform === 'win32' ? NOT_FOR_WINDOWS
      : `There is nothing to download for ${process.platform} on ${process.arch}. ${HOW_TO_GET_IT}`);
    return;
  }
  const title = `rules-check ${archive.version}: downloading`;
  try {
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title },
      () => program.download(archive, storage));
  } catch (error) {
    vscode.window.showErrorMessage(`rules-check was not installed: ${error.message}`);
    return;
  }
  await restart();
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
