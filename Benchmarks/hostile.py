#!/usr/bin/env python3
"""Rules that cost a prover much, through every command that proves: time, memory and answer.

    hostile.py RULES-CHECK [NAME…]    default: all

HOSTILE_COMMANDS=never,diff limits the commands. HOSTILE_SECONDS=5 gives each that many seconds
(--timeout, --total) and marks what takes half a second more, or more than 300 MB. HOSTILE_STEPS does
the same for steps.

Each line: name, command, exit code, seconds of the processor, seconds by the clock, MB, what was said.
"""
import os
import re
import subprocess
import sys
import tempfile

D = "resource.data"


def chain(op, parts):
    """Many operands, in parentheses where the language limits nesting."""
    parts = list(parts)
    if len(parts) <= 60:
        return f" {op} ".join(parts)
    size = (len(parts) + 39) // 40
    groups = [parts[i : i + size] for i in range(0, len(parts), size)]
    return chain(op, ["(" + chain(op, group) + ")" for group in groups])


def on_path(condition, methods="read"):
    return f"match /c/{{id}} {{ allow {methods}: if {condition}; }}"


def doubling(first, following, use, count=14):
    text = f"function f0(x) {{ {first} }}\n"
    for i in range(1, count + 1):
        text += f"function f{i}(x) {{ {following.replace('F', f'f{i - 1}')} }}\n"
    return text + on_path(use.replace("F", f"f{count}"))


def pigeons(count, holes):
    inside = [f"{D}.p{i} in {list(range(holes))}" for i in range(count)]
    return inside + [f"{D}.p{i} != {D}.p{j}" for i in range(count) for j in range(i)]


def choices(count):
    text = "true"
    for i in range(count):
        text = f"({D}.t{i} == {i} ? {D}.v{i} : {text})"
    return text


def keys(count):
    return "[" + ", ".join(f"'k{i}'" for i in range(count)) + "]"


def get(i):
    return f"get(/databases/$(db)/documents/u/$({D}.k{i})).data.a == {i}"


def cases(n):
    """Everything, with `n` fewer of something for the other side of a comparison."""
    a = f"{D}.a"
    new = "request.resource.data"
    return {
        "absorbed": on_path("zz || " + "false || " * (20 - n) + "true", "get"),
        "values": doubling("return x;", "return F(x) + F(x);", f"F({a}) == 3", 14 - n),
        "sums": doubling("return x;", "return F(x) + F(x + 1);", f"F({a}) == 3", 14 - n),
        "conditions": doubling("return x == 1;", "return F(x) && F(x + 1);", f"F({a})", 14 - n),
        "texts": doubling("return x;", "return F(x) + 'a' + F(x);", f"F({a}) == 'b'", 14 - n),
        "lists": doubling("return x;", "return [F(x), F(x)];", f"F({a}) == {D}.b", 14 - n),
        "maps": doubling("return x;", "return {'a': F(x), 'b': F(x)};", f"F({a}).a == {D}.b", 14 - n),
        "questions": doubling("return x;", "return F(x) == 1 ? F(x) : F(x);", f"F({a}) == {D}.b", 14 - n),
        "branches": doubling(
            "return x;", f"return {D}.q == x ? F(x.a) : F(x.b);", f"F({a}) == {D}.b", 14 - n),
        "lets": doubling(
            "return x;", "let a = F(x.a); let b = F(x.b); return a == b;", f"F({a})", 14 - n),
        "lookups in lookups": doubling(
            "return x;", "return get(/databases/$(db)/documents/c/$(F(x))).data.a + F(x);",
            f"F({a}) == 'b'", 14 - n),
        "500 statements": "match /c/{id} {\n" + "".join(
            f"allow get, update: if {D}.f{i} == request.auth.uid && {D}.g{i} > {i};\n"
            for i in range(500 - n)) + "}",
        "1000 blocks": "".join(
            f"match /c{i or ''}/{{id}} {{ allow read, write: if request.auth.uid == {D}.o{i}; }}\n"
            for i in range(1000 - n)),
        "1000 blocks for one path": "".join(
            f"match /c/{{a{i}}} {{ allow get: if request.auth.uid == {D}.o{i}; }}\n"
            for i in range(1000 - n)),
        "choices": on_path(choices(40 - n)),
        "and": on_path(chain("&&", (f"{D}.a{i} == {i}" for i in range(300 - n)))),
        "or": on_path(chain("||", (f"{D}.a{i} == {i}" for i in range(300 - n)))),
        "400 keys": on_path(
            f"{new}.keys().hasOnly({keys(400 - n)})"
            f" && {new}.diff({D}).affectedKeys().hasOnly({keys(200)})", "write"),
        "counted keys": on_path(
            f"{new}.keys().size() == {60 - n} && {new}.keys().hasAny({keys(300)})", "write"),
        "pigeons": on_path(chain("&&", pigeons(10, 9 + n))),
        "circle": on_path(chain(
            "&&", [f"{D}.n{i} < {D}.n{(i + 1) % (120 - n)}" for i in range(120 - n)]
            + [f"{D}.n{i} is int" for i in range(120 - n)])),
        "40 lookups": on_path(chain("||", map(get, range(40 - n)))),
        "16 patterns": on_path(chain(
            "&&", (f"{D}.s.matches('.*[a-{chr(98 + i)}]{{{i + 1}}}.{{{i + 3}}}x?.*')"
                   for i in range(16 - n)))),
        "members": on_path(chain(
            "&&", [f"{D}.l.hasAny([{D}.x{i}, {D}.y{i}])" for i in range(40 - n)]
            + [f"{D}.l.size() < 4"])),
        **files(n),
        "equal lists": on_path(chain(
            "&&", [f"{D}.x{i}[{j}] == {D}.x{i + 1}[{j}]" for i in range(20) for j in range(8)]
            + [f"{D}.x{i} == {D}.x{i + 1}" for i in range(20 - n)])),
    }


def files(n):
    """The larger files of the benchmarks, without the frame, one block less for each of `n`."""
    found = {}
    for name in ("blocks-1000", "lines-300", "lines-2000"):
        with open(os.path.join(os.path.dirname(__file__), name + ".rules")) as file:
            lines = file.read().split("\n")
        starts = [i for i, line in enumerate(lines) if line.startswith("    match ")]
        ends = [i for i, line in enumerate(lines) if line == "  }"]
        # Where claims are about `/c/{id}` there must be one.
        text = "\n".join(lines[3 : starts[-n] if n else ends[-1]])
        found[name] = text.replace("/c0/{", "/c/{")
    return found


def limited(words):
    """A command with the limits of the environment."""
    seconds, steps = os.environ.get("HOSTILE_SECONDS"), os.environ.get("HOSTILE_STEPS")
    if words[1] == "verify-proof":
        return words
    total = words[1] in ("audit", "mutate", "init")
    return (words + (["--timeout", seconds] if seconds else [])
            + (["--total", seconds] if seconds and total else [])
            + (["--steps", steps] if steps else []))


def commands(binary, file, other, folder):
    claim = ["--path", "/c/{id}"]
    suite = os.path.join(folder, "a.suite.json")
    proof = os.path.join(folder, "proof.txt")
    return {
        "only-if": [binary, "prove", file, *claim, "--only-if", "request.auth.uid == 'u'"],
        "never": [binary, "prove", file, *claim, "--never"],
        "always-if": [binary, "prove", file, *claim, "--always-if", "request.auth.uid == 'u'"],
        "no-errors": [binary, "prove", file, *claim, "--no-errors"],
        "test": [binary, "test", suite, "--jobs", "1"],
        "certify": [binary, "prove", file, *claim, "--only-if",
                    "request.auth == null || request.auth.uid is string", "--certificate", proof],
        "verify": [binary, "verify-proof", proof],
        "diff": [binary, "diff", file, other],
        "deep": [binary, "check", "--deep", file],
        "fix": [binary, "check", "--deep", "--fix", file + ".copy.rules"],
        "audit": [binary, "audit", file],
        "mutate": [binary, "mutate", suite],
        "init": [binary, "init", "--full", file, "--force", "-o", os.path.join(folder, "out.json")],
    }


def run(command):
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        start = os.times().elapsed
        _, status, usage = os.wait4(child.pid, 0)
        seconds = os.times().elapsed - start
        output.seek(0)
        text = output.read()
    said = re.findall(r"the budget of [^\n\"]* spent(?: \(\w+\))?|the time limit of [^\n\"]* reached|"
                      r"\b(?:PROVED|VIOLATED|UNDECIDED|LOOSENED|TIGHTENED|EQUIVALENT)\b|defect", text)
    return os.waitstatus_to_exitcode(status), usage, seconds, ", ".join(dict.fromkeys(said))


def main():
    binary, wanted = sys.argv[1], sys.argv[2:]
    chosen = [c for c in os.environ.get("HOSTILE_COMMANDS", "").split(",") if c]
    limit = float(os.environ.get("HOSTILE_SECONDS") or "inf")
    others = cases(1)
    with tempfile.TemporaryDirectory() as folder:
        for name, body in cases(0).items():
            if wanted and name not in wanted:
                continue
            for letter, text in (("a", body), ("b", others[name]), ("a.rules.copy", body)):
                with open(os.path.join(folder, letter + ".rules"), "w") as file:
                    file.write("rules_version = '2';\nservice cloud.firestore {\n"
                               "match /databases/{db}/documents {\n" + text + "\n}\n}\n")
            with open(os.path.join(folder, "a.suite.json"), "w") as file:
                file.write('{"rules": "a.rules", "tests": [{"name": "t", "get": "/zz/zz", '
                           '"expect": "deny"}], "claims": [{"path": "/c/{id}", "never": true}]}')
            files = (os.path.join(folder, "a.rules"), os.path.join(folder, "b.rules"))
            for command, words in commands(binary, *files, folder).items():
                if chosen and command not in chosen:
                    continue
                code, usage, seconds, said = run(limited(words))
                spent, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024
                over = megabytes > 300 or seconds > limit + 0.5
                print(f"{name:24} {command:9} {code:3} {spent:6.2f} s {seconds:6.2f} s "
                      f"{megabytes:4} MB {'OVER ' if over else ''} {said}", flush=True)


main()
