#!/usr/bin/env python3
"""How long an editor waits for the language server: from a key press to its diagnostics and answers.

    swift build -c release
    python3 Benchmarks/lsp.py [PROGRAM]

Types into files of 100, 500 and 2,000 lines, one key press after the other, and prints a table of the median and
of the 99th of a hundred, in milliseconds: by the clock, and of the processor, which the server's answering thread
has used; then the memory over 10,000 edits.
"""

import json
import subprocess
import sys
import time

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ".build/release/rules-check"
PRESSES = 300
EDITS = 10_000


def rules(lines):
    """Rules of about so many lines, as real ones are: functions, blocks, conditions over several lines."""
    text = ["rules_version = '2';", "service cloud.firestore {", "  match /databases/{database}/documents {",
            "    function signedIn() {", "      return request.auth != null;", "    }",
            "    function isOwner(user) {", "      return signedIn() && request.auth.uid == user;", "    }"]
    number = 0
    while len(text) < lines - 12:
        number += 1
        text += [
            f"    match /things{number}/{{id}} {{",
            "      function fits(data) {",
            "        return data.keys().hasOnly(['name', 'owner', 'size', 'tags'])",
            "          && data.name is string && data.name.size() < 100",
            "          && data.size is int && data.size > 0;",
            "      }",
            "      allow read: if signedIn() && resource.data.owner == request.auth.uid;",
            "      allow create: if isOwner(request.resource.data.owner)",
            "        && fits(request.resource.data);",
            "      allow update: if isOwner(resource.data.owner)",
            "        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name', 'tags']);",
            "      allow delete: if isOwner(resource.data.owner)",
            "        && get(/databases/$(database)/documents/users/$(request.auth.uid)).data.admin == true;",
            "    }",
        ]
    text += ["    match /last/{id} {", "      allow read: if signedIn() && id != 'x';", "    }", "  }", "}", ""]
    return "\n".join(text)


class Server:
    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.ask("initialize", {
            "capabilities": {"general": {"positionEncodings": ["utf-16"]}},
            "initializationOptions": {"seconds": 5}})
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            answer = self.receive()
            if answer.get("id") == self.last and "method" not in answer:
                return answer["result"]

    def told(self, version):
        """Waits for the diagnostics of a version."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                if message["params"].get("version") == version:
                    return message["params"]["diagnostics"]

    def processor(self):
        """Milliseconds that the thread which answers has computed."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/schedstat") as statistics:
            return int(statistics.read().split()[0]) / 1e6

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


URI = "file:///bench.rules"


def open_text(server, text):
    server.tell("textDocument/didOpen", {"textDocument": {
        "uri": URI, "languageId": "firestore-rules", "version": 1, "text": text}})
    server.told(1)


def press(server, version, line, character, text, end=None):
    server.tell("textDocument/didChange", {
        "textDocument": {"uri": URI, "version": version},
        "contentChanges": [{"range": {
            "start": {"line": line, "character": character},
            "end": {"line": line, "character": end or character}}, "text": text}]})


def milliseconds(server, run):
    """By the clock, and of the processor."""
    computed, start = server.processor(), time.perf_counter()
    run()
    end = time.perf_counter()
    return (end - start) * 1000, server.processor() - computed


def percentile(numbers, share):
    return sorted(numbers)[int(len(numbers) * share)]


def table():
    print("| lines | bytes | what | p50 | p99 | processor, p50 | p99 |\n|--:|--:|---|--:|--:|--:|--:|")
    for lines in (100, 500, 2000):
        text = rules(lines)
        server = Server()
        open_text(server, text)
        line = text.split("\n").index("      allow read: if signedIn() && id != 'x';")
        word = "request.auth.uid == id && "
        at = len("      allow read: if ")
        times = {"diagnostics": [], "completion": [], "hover": [], "colours": [], "formatting": []}
        version = 1
        for number in range(PRESSES):
            version += 1
            place = number % len(word)
            if place == 0 and number:
                press(server, version, line, at, "", at + len(word))
                server.told(version)
                version += 1

            def type_one():
                press(server, version, line, at + place, word[place])
                server.told(version)

            times["diagnostics"].append(milliseconds(server, type_one))
            here = {"textDocument": {"uri": URI}, "position": {"line": line, "character": at + place + 1}}
            times["completion"].append(
                milliseconds(server, lambda: server.ask("textDocument/completion", here)))
            times["hover"].append(milliseconds(server, lambda: server.ask("textDocument/hover", here)))
            if number % 10 == 0:
                times["colours"].append(
                    milliseconds(server, lambda: server.ask("textDocument/semanticTokens/full", here)))
                times["formatting"].append(
                    milliseconds(server, lambda: server.ask("textDocument/formatting", {**here, "options": {}})))
        server.process.kill()
        for what, all_times in times.items():
            shares = [
                f"{percentile([one[column] for one in all_times], share):.1f}"
                for column in (0, 1) for share in (0.5, 0.99)
            ]
            print(f"| {lines:,} | {len(text):,} | {what} | {' | '.join(shares)} |")


def memory():
    text = rules(500)
    server = Server()
    open_text(server, text)
    line = text.split("\n").index("      allow read: if signedIn() && id != 'x';")
    at = len("      allow read: if ")
    print("\n| edits | MB |\n|--:|--:|")
    for number in range(1, EDITS + 1):
        # A letter comes and goes, and each text is another one.
        if number % 2:
            press(server, number + 1, line, at, chr(97 + number % 26) + str(number))
        else:
            press(server, number + 1, line, at, "", at + 1 + len(str(number - 1)))
        server.told(number + 1)
        if number in (100, 1000, 2000, 5000, EDITS):
            print(f"| {number:,} | {server.memory():.1f} |")
    server.process.kill()


table()
memory()
