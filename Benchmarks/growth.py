#!/usr/bin/env python3
"""What every command costs as a rules file grows: time of the processor, memory, and how steeply.

    growth.py RULES-CHECK [SIZE…]     default: 50 100 200 500 1000 2000 5000 lines
    growth.py --write SIZE            only prints rules of that size

The rules are like those of real projects: collections of several shapes (a document of its own for each
user, an owner named by a field, members in a list, roles in another document, public catalogues, a
counter), functions that they share, and no two collections with the same fields. The exponent is that of the
power of the number of lines that fits the times best, over the sizes at which a command takes ten milliseconds
or more.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = [50, 100, 200, 500, 1000, 2000, 5000]

HEAD = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function isSignedIn() {
      return request.auth != null;
    }
    function isUser(uid) {
      return isSignedIn() && request.auth.uid == uid;
    }
    function user() {
      return get(/databases/$(database)/documents/users/$(request.auth.uid)).data;
    }
    function hasRole(role) {
      return isSignedIn() && user().role == role;
    }
    function changesOnly(fields) {
      return request.resource.data.diff(resource.data).affectedKeys().hasOnly(fields);
    }
    function isText(value, most) {
      return value is string && value.size() > 0 && value.size() <= most;
    }

    match /users/{uid} {
      allow read: if isUser(uid) || hasRole('admin');
      allow create: if isUser(uid) && !('role' in request.resource.data);
      allow update: if isUser(uid) && changesOnly(['name', 'fcmToken']);
      allow delete: if hasRole('admin');
    }
"""

SHAPES = [
    """
    match /settings{n}/{uid} {
      allow read: if isUser(uid);
      allow write: if isUser(uid)
        && request.resource.data.keys().hasOnly(['theme{n}', 'language', 'updated'])
        && isText(request.resource.data.language, 12);
    }
""",
    """
    match /posts{n}/{post} {
      allow read: if resource.data.isPublic{n} == true || isUser(resource.data.author);
      allow create: if isUser(request.resource.data.author)
        && isText(request.resource.data.title{n}, 120)
        && request.resource.data.created == request.time;
      allow update: if isUser(resource.data.author)
        && changesOnly(['title{n}', 'text', 'edited'])
        && isText(request.resource.data.title{n}, 120);
      allow delete: if isUser(resource.data.author) || hasRole('moderator');

      match /comments/{comment} {
        allow read: if isSignedIn();
        allow create: if isUser(request.resource.data.author)
          && isText(request.resource.data.text, 1000);
        allow update: if isUser(resource.data.author)
          && request.resource.data.author == resource.data.author;
        allow delete: if isUser(resource.data.author);
      }
    }
""",
    """
    match /rooms{n}/{room} {
      function isMember() {
        return isSignedIn() && request.auth.uid in resource.data.members{n};
      }
      allow get, list: if isMember();
      allow create: if isSignedIn() && request.auth.uid in request.resource.data.members{n}
        && request.resource.data.members{n}.size() <= 50;
      allow update: if isMember() && changesOnly(['topic{n}', 'lastMessage']);

      match /messages/{message} {
        function room() {
          return get(/databases/$(database)/documents/rooms{n}/$(room)).data;
        }
        allow read: if isSignedIn() && request.auth.uid in room().members{n};
        allow create: if isUser(request.resource.data.sender)
          && request.auth.uid in room().members{n}
          && isText(request.resource.data.text, 2000);
      }
    }
""",
    """
    match /products{n}/{product} {
      allow read;
      allow create, update: if hasRole('editor')
        && isText(request.resource.data.name{n}, 80)
        && request.resource.data.price is int
        && request.resource.data.price >= 0
        && request.resource.data.currency in ['EUR', 'USD', 'GBP'];
      allow delete: if hasRole('admin');
    }
""",
    """
    match /orders{n}/{order} {
      allow read: if isUser(resource.data.buyer{n}) || hasRole('support');
      allow create: if isUser(request.resource.data.buyer{n})
        && request.resource.data.state == 'new'
        && request.resource.data.items.size() > 0;
      allow update: if hasRole('support') && changesOnly(['state'])
        && request.resource.data.state in ['paid', 'sent', 'closed'];
    }
""",
    """
    match /counters{n}/{counter} {
      allow get: if true;
      allow update: if isSignedIn() && changesOnly(['count{n}'])
        && request.resource.data.count{n} == resource.data.count{n} + 1;
    }
""",
]


def rules(lines):
    """Rules of about so many lines."""
    text, number = HEAD, 0
    while text.count("\n") + 2 < lines:
        text += SHAPES[number % len(SHAPES)].replace("{n}", str(number))
        number += 1
    return text + "  }\n}\n"


def suite(text):
    """Two tests for each collection of settings, and five claims that hold."""
    names = [line.split("/")[1].split("{")[0] for line in text.splitlines() if "match /settings" in line] or ["users"]
    tests = []
    for name in names:
        for who, verdict in (("alice", "allow"), ("mallory", "deny")):
            tests.append({"as": {"uid": who}, "get": f"/{name}/alice", "expect": verdict})
    claims = [
        {"path": "/users/{u}", "methods": "update", "writes": ["fcmToken"], "onlyIf": "request.auth.uid == u"},
        {"path": "/users/{u}", "methods": "update", "writes": ["role"], "never": True},
        {"path": f"/{names[-1]}/{{u}}", "onlyIf": "request.auth.uid == u"},
        {"path": "/{any=**}", "methods": "write", "given": "request.auth == null", "never": True},
        {"path": "/users/{u}", "methods": "get", "alwaysIf": "request.auth.uid == u"},
    ]
    return json.dumps({"rules": "grown.rules", "tests": tests, "claims": claims})


def commands(program, folder):
    grown, old = folder / "grown.rules", folder / "old.rules"
    log = folder / "log.jsonl"
    return {
        "check": [program, "check", grown],
        "fmt --check": [program, "fmt", "--check", grown],
        "test, 5 claims": [program, "test", folder / "grown.suite.json"],
        "simulate": [program, "simulate", grown, "get", "/users/alice", "--as", "alice"],
        "replay, 1,000": [program, "replay", grown, log],
        "diff, one line": [program, "diff", old, grown, "--fail-on", "none"],
        "check --deep": [program, "check", "--deep", grown],
        "audit": [program, "audit", grown],
        "init": [program, "init", grown, "-o", folder / "new.suite.json", "--force"],
        "mutate": [program, "mutate", folder / "grown.suite.json"],
    }


def measured(arguments):
    """Seconds of the processor, the greatest memory in MB, and the exit code of a command."""
    process = subprocess.Popen([str(one) for one in arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def exponent(points):
    """The slope of the line through the logarithms; None for fewer than three points."""
    points = [(math.log(x), math.log(y)) for x, y in points if y >= 0.01]
    if len(points) < 3:
        return None
    mean_x, mean_y = (sum(one[axis] for one in points) / len(points) for axis in (0, 1))
    below = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / below


def main():
    if sys.argv[1:2] == ["--write"]:
        sys.stdout.write(rules(int(sys.argv[2])))
        return
    program, sizes = sys.argv[1], [int(one) for one in sys.argv[2:]] or SIZES
    times, memory, codes = {}, {}, {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            text = rules(size)
            (folder / "grown.rules").write_text(text)
            (folder / "old.rules").write_text(text.replace("hasRole('admin');", "hasRole('owner');", 1))
            (folder / "grown.suite.json").write_text(suite(text))
            line = json.dumps({"as": "alice", "method": "get", "path": "/users/alice", "before": {"name": "A"}})
            (folder / "log.jsonl").write_text((line + "\n") * 1000)
            for command, arguments in commands(program, folder).items():
                seconds, megabytes, code = measured(arguments)
                times.setdefault(command, []).append((size, seconds))
                memory.setdefault(command, []).append(megabytes)
                codes.setdefault(command, []).append(code)
                print(f"{size:5} {command:15} {seconds:8.3f} s {megabytes:6.0f} MB  exit {code}", file=sys.stderr)
    print("| command | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent | most memory |")
    print("|---|" + "--:|" * (len(sizes) + 2))
    for command, points in times.items():
        # 4 says that something is undecided; that belongs to the figure.
        cells = [f"{seconds:.3f}" + ("?" if code == 4 else "") for (_, seconds), code in zip(points, codes[command])]
        slope = exponent(points)
        print(f"| `{command}` | " + " | ".join(cells)
              + f" | {'' if slope is None else f'{slope:.1f}'} | {max(memory[command]):.0f} MB |")


main()
