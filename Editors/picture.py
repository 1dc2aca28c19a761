"""Draws a rules file as an editor shows it, with what the language server says: the picture of the extension.

    python3 Editors/picture.py RULES-CHECK FILE > editor.svg

Who can do what stands beside each `allow`, findings stand under their words. A browser turns the drawing into the
PNG that the marketplace wants:

    chromium --headless --hide-scrollbars --window-size=WIDTH,HEIGHT --screenshot=Editors/vscode/images/editor.png editor.svg
"""

import html
import json
import pathlib
import re
import subprocess
import sys
import time

WIDTH, HEIGHT, SIZE, LEFT, TOP = 8.4, 22, 14, 62, 18
WORDS = [
    (r"//.*", "#6a9955"), (r"'[^']*'|\"[^\"]*\"", "#ce9178"), (r"/[\w/{}]+(?= \{)", "#dcdcaa"),
    (r"\b(rules_version|service|match|allow|if|function|return)\b", "#569cd6"), (r"\b\d+\b", "#b5cea8"),
    (r"\b(request|resource|get|list|read|write|create|update|delete)\b", "#9cdcfe"),
]


class Server:
    """The language server, asked one thing after another."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.diagnostics, self.last = [], 0

    def send(self, method, parameters, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method, parameters):
        """The answer to a question. What the server says meanwhile is kept, or answered with nothing."""
        self.last += 1
        self.send(method, parameters, id=self.last)
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics = message["params"]["diagnostics"]
            elif message.get("id") == self.last:
                return message["result"]


def answers(program, path):
    """The hints and the findings of a file, once its proofs are done."""
    server = Server(program)
    server.ask("initialize", {"capabilities": {"textDocument": {"inlayHint": {}}}, "initializationOptions": {"deep": True}})
    server.send("initialized", {})
    text = path.read_text(encoding="utf-8")
    uri = path.resolve().as_uri()
    server.send("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "firestorerules", "version": 1, "text": text}})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}
    hints = []
    for _ in range(10):
        # The server proves while nobody asks for anything.
        time.sleep(3)
        hints = server.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole}) or []
        if hints:
            break
    server.process.terminate()
    return text.rstrip("\n").split("\n"), hints, server.diagnostics


def write(text, column, y, colour, style=""):
    """One piece of text; each word has its place, so that columns stay columns in any font."""
    return "".join(
        f'<text x="{LEFT + (column + word.start()) * WIDTH:.1f}" y="{y:.1f}" fill="{colour}" {style} '
        f'textLength="{len(word.group()) * WIDTH:.1f}">{html.escape(word.group(), quote=False)}</text>'
        for word in re.finditer(r"\S+", text)
    )


def coloured(line, y):
    """A line of rules in colours."""
    parts, at = [], 0
    pattern = "|".join(f"(?P<w{place}>{words})" for place, (words, _) in enumerate(WORDS))
    for match in re.finditer(pattern, line):
        parts.append(write(line[at:match.start()], at, y, "#d4d4d4"))
        parts.append(write(match.group(), match.start(), y, WORDS[int(match.lastgroup[1:])][1]))
        at = match.end()
    return "".join(parts + [write(line[at:], at, y, "#d4d4d4")])


def label(hint):
    return hint["label"] if isinstance(hint["label"], str) else "".join(part["value"] for part in hint["label"])


def drawing(lines, hints, diagnostics):
    """The drawing: each finding on a line of its own under the words that it is about."""
    rows, longest = [], 0
    y = TOP
    for number, line in enumerate(lines):
        y += HEIGHT
        found = [f'<text x="18" y="{y:.1f}" fill="#6e7681">{number + 1:>2}</text>', coloured(line, y)]
        longest = max(longest, len(line))
        for hint in (each for each in hints if each["position"]["line"] == number):
            text = f"  {label(hint).strip()}"
            found.append(write(text, len(line), y, "#8b949e", 'font-style="italic"'))
            longest = max(longest, len(line) + len(text))
        for finding in (each for each in diagnostics if each["range"]["start"]["line"] == number):
            start, end = finding["range"]["start"]["character"], finding["range"]["end"]
            until = end["character"] if end["line"] == number else len(line)
            colour = "#f85149" if finding.get("severity") == 1 else "#d29922"
            found.append(f'<path d="M{LEFT + start * WIDTH:.1f} {y + 4:.1f}h{(until - start) * WIDTH:.1f}" '
                         f'stroke="{colour}" stroke-width="2" stroke-dasharray="3 2"/>')
            y += HEIGHT
            text = finding["message"].split("\n")[0]
            found.append(write(text, start, y, colour))
            longest = max(longest, start + len(text))
        rows += found
    width, height = int(LEFT + (longest + 3) * WIDTH), int(y + TOP + 4)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#1e1e1e"/>'
        f'<g font-family="Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="{SIZE}">{"".join(rows)}</g></svg>\n'
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    print(drawing(*answers(sys.argv[1], pathlib.Path(sys.argv[2]))), end="")
