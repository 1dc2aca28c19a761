"""The TextMate grammar beside the language server's own tokens, on rules files.

Needs: pip install babi pytest, and a built program. More files: RULES_FOLDER=folder.

    RULES_CHECK=.build/debug/rules-check pytest Editors/Tests/test_grammar.py
"""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from babi.highlight import Compiler, Grammar, Grammars, highlight_line

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = PACKAGE / "Editors/vscode/syntaxes/firestore-rules.tmLanguage.json"
PROGRAM = os.environ.get("RULES_CHECK", "rules-check")
FOLDERS = [PACKAGE / "rules", PACKAGE / "Benchmarks"] + [
    pathlib.Path(folder) for folder in [os.environ.get("RULES_FOLDER")] if folder
]
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.rules"))

# What the server's kinds may be called in the grammar. A name that only the checker tells apart from another
# may have the scope of that one.
SCOPES = {
    "keyword": ("keyword.", "storage.", "constant.language"),
    "string": ("string.", "constant.character.escape", "punctuation.separator.path", "keyword.operator"),
    "number": ("constant.numeric",),
    "comment": ("comment.",),
    "operator": ("keyword.operator",),
    "function": ("entity.name.function", "support.function", "support.class"),
    "method": ("entity.name.function",),
    "property": ("variable.other.property", "entity.name.function"),
    "parameter": ("variable.", "entity.name.function"),
    "variable": ("variable.", "entity.name.function", "support.class"),
    "namespace": ("entity.name.namespace",),
    "type": ("support.type",),
    "enumMember": ("support.constant.operation", "variable."),
}


class Server:
    """The language server, asked one question after the other."""

    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.diagnostics = []
        hello = self.ask("initialize", {
            "capabilities": {"general": {"positionEncodings": ["utf-8"]}},
            "initializationOptions": {"deep": False, "runTests": False}})
        self.kinds = hello["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.startswith(b"Content-Length:"):
                    length = int(line.split(b":")[1])
            answer = json.loads(self.process.stdout.read(length))
            if answer.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics = answer["params"]["diagnostics"]
            if answer.get("id") == self.last and "method" not in answer:
                return answer["result"]

    def tokens(self, path, text):
        uri = path.as_uri()
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "firestore-rules", "version": 1, "text": text}})
        data = self.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
        self.ask("workspace/symbol", {"query": "-"})
        codes = {one["code"] for one in self.diagnostics}
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        if codes & {"unclosed-string", "syntax", "unknown-character"}:
            pytest.skip("where a string ends in a file that cannot be read is anybody's guess")
        line = character = 0
        for start in range(0, len(data), 5):
            lines, characters, length, kind, _ = data[start:start + 5]
            character = characters if lines else character + characters
            line += lines
            yield line, character, length, self.kinds[kind]


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.process.kill()


@pytest.fixture(scope="module")
def compiler(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grammars")
    shutil.copy(GRAMMAR, folder / "source.firestore-rules.json")
    grammars = Grammars(str(folder))
    return grammars.compiler_for_scope("source.firestore-rules")


def scopes(compiler, text):
    """For each line the scopes of its stretches: (start, end, names)."""
    state = compiler.root_state
    for line in text.split("\n"):
        state, regions = highlight_line(compiler, state, line + "\n", first_line=False)
        yield [(region.start, region.end, region.scope) for region in regions]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_grammar_agrees_with_the_server(server, compiler, path):
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    colours = list(scopes(compiler, text))
    wrong = []
    count = 0
    for line, character, length, kind in server.tokens(path, text):
        start = len(lines[line].encode()[:character].decode())
        count += 1
        names = [names for first, last, names in colours[line] if first <= start < last]
        innermost = names[-1][1:] if names else ()
        if not any(name.startswith(SCOPES[kind]) for name in innermost):
            word = lines[line].encode()[character:character + length].decode()
            wrong.append(f"{line + 1}: {word!r} is a {kind}, coloured {innermost}")
    assert count > 0 and not wrong, "\n".join(wrong[:20])
