#!/usr/bin/env python3
"""What the commands that answer for all requests leave open of a folder of rules files, and what they cost.

    files.py RULES-CHECK FOLDER [-j WORKERS] [--keep OUT]

Each file NAME.rules of the folder is asked four things: `audit`, `check --deep`, `diff` against itself
rewritten, and a suite of five claims for each path. Printed is a table: how much was asked, what stayed
undecided, seconds of the processor and memory. `--keep` writes each report and the figures of each file there,
to compare two programs by.

The rewriting turns the conditions of statements and the results of functions inside out: `A && B` becomes
`!(!(B) || !(A))` and `A || B` becomes `!(!(B) && !(A))`, whose decisions are the same by the evaluation of
`&&` and `||` from both sides; what else the files do not share is work for the comparison alone.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

KINDS = ["audit", "check --deep", "diff", "claims"]


# The rewriting

def tokens(text):
    """The text in pieces: strings, comments and single characters, so that only code is looked into."""
    return re.findall(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|&&|\|\||.", text, re.S)


def parts(pieces, operator):
    """The operands of an operator at the outermost level, or one part if it is not there."""
    found, depth = [[]], 0
    for piece in pieces:
        depth += (piece in "([{") - (piece in ")]}") if len(piece) == 1 else 0
        if depth == 0 and piece == operator:
            found.append([])
        else:
            found[-1].append(piece)
    return found


def outward(pieces):
    """A condition turned inside out at its outermost operator; anything else as it is."""
    if any(len(one) == 1 and one in "?:" for one in pieces) or any(one.startswith(("//", "/*")) for one in pieces):
        return pieces
    for operator, other in (("||", "&&"), ("&&", "||")):
        operands = parts(pieces, operator)
        if len(operands) > 1:
            inside = ["!(" + "".join(one).strip() + ")" for one in reversed(operands)]
            return ["!(", f" {other} ".join(inside), ")"]
    return pieces


def rewritten(text):
    """The rules with each `if …;` and `return …;` turned inside out."""
    pieces, result, at = tokens(text), [], 0
    while at < len(pieces):
        word = re.match(r"(if|return)\b", "".join(pieces[at:at + 7]))
        before = result[-1] if result else " "
        if word and before.isspace() or word and before == ":":
            end, depth = at, 0
            while end < len(pieces) and (pieces[end] != ";" or depth > 0) and depth >= 0:
                one = pieces[end]
                depth += (one in "([{") - (one in ")]}") if len(one) == 1 else 0
                end += 1
            start = at + len(word.group())
            if depth == 0 and end < len(pieces):
                inside = outward(pieces[start:end])
                result += pieces[at:start] + [" "] + inside
                at = end
                continue
        result.append(pieces[at])
        at += 1
    return "".join(result)


# The claims

def claims(audit):
    """Five claims about each path of a report of `audit`."""
    found, seen = [], set()
    for path in (one["path"] for one in audit["paths"]):
        if path in seen:
            continue
        seen.add(path)
        names = re.findall(r"{(\w+)}", path)
        owner = f"request.auth.uid == {names[-1]}" if names else "request.auth.uid == 'owner'"
        found += [
            {"path": path, "methods": "write", "given": "request.auth == null", "never": True},
            {"path": path, "methods": "read", "given": "request.auth == null", "never": True},
            {"path": path, "methods": "write", "onlyIf": owner},
            {"path": path, "methods": "update", "writes": ["role"], "never": True},
            {"path": path, "methods": ["create", "update"],
             "onlyIf": "request.resource.data.userId == request.auth.uid"},
        ]
    return found


# The measuring

def run(arguments, out):
    """Seconds of the processor, megabytes and exit code; what is printed goes to a file."""
    with open(out, "w") as file:
        process = subprocess.Popen([str(one) for one in arguments], stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def report(path):
    try:
        return json.loads(path.read_text())
    except ValueError:
        return None


def ask(program, rules, folder):
    """Of one file for each kind questions, open ones, seconds, megabytes, exit code; None for what is no rules file."""
    name, figures = rules.stem, {}
    out = {kind: folder / f"{name}.{kind.split()[0]}.json" for kind in KINDS}
    if run([program, "check", rules], folder / f"{name}.txt")[2] == 2:
        return None
    time = run([program, "audit", rules], folder / f"{name}.audit.txt")
    run([program, "audit", "--format", "json", rules], out["audit"])
    audit = report(out["audit"])
    if audit:
        cells = [answer for path in audit["paths"] for answer in path["answers"]]
        figures["audit"] = (len(cells), sum(one["answer"] == "undecided" for one in cells), *time)
    time = run([program, "check", "--deep", "--format", "json", rules], out["check --deep"])
    deep = report(out["check --deep"])
    if deep:
        asked = [file["deep"] for file in deep["files"] if "deep" in file]
        figures["check --deep"] = (sum(d["questions"] for d in asked), sum(d["open"] for d in asked), *time)
    # Not NAME.rules: where `--keep` is the folder itself nothing of it is written over.
    other = folder / f"{name}.rewritten"
    other.write_text(rewritten(rules.read_text(errors="replace")))
    time = run([program, "diff", rules, other, "--format", "json", "--fail-on", "none"], out["diff"])
    diff = report(out["diff"])
    if diff:
        verdicts = [one["verdict"] for file in diff["files"] for path in file["paths"] for one in path["methods"]]
        figures["diff"] = (len(verdicts), verdicts.count("undecided"), *time)
    if audit:
        suite = folder / f"{name}.suite.json"
        suite.write_text(json.dumps({"rules": os.path.relpath(rules, folder), "claims": claims(audit)}))
        time = run([program, "test", suite, "--format", "json"], out["claims"])
        result = report(out["claims"])
        if result:
            found = [claim["verdict"] for one in result["suites"] for claim in one["claims"]]
            figures["claims"] = (len(found), found.count("undecided"), *time)
    return figures


def main():
    reader = argparse.ArgumentParser(usage=__doc__)
    reader.add_argument("program", type=pathlib.Path)
    reader.add_argument("folder", type=pathlib.Path)
    reader.add_argument("-j", type=int, default=1)
    reader.add_argument("--keep", type=pathlib.Path)
    options = reader.parse_args()
    program, keep = options.program.absolute(), options.keep
    files = sorted(options.folder.absolute().glob("*.rules"))
    if not files:
        sys.exit(f"files.py: there are no files NAME.rules in {options.folder}")
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = keep.absolute() if keep else pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            figures = dict(zip(files, pool.map(lambda file: ask(program, file, folder), files)))
    rules = {file: one for file, one in figures.items() if one is not None}
    print(f"{len(rules)} files, {len(files) - len(rules)} that do not compile")
    print("| command | asked | undecided | slowest, s | next | median | most memory |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for kind in KINDS:
        rows = {file.stem: one[kind] for file, one in rules.items() if kind in one}
        times = sorted((row[2] for row in rows.values()), reverse=True)
        if not rows:
            continue
        asked, left = sum(row[0] for row in rows.values()), sum(row[1] for row in rows.values())
        print(f"| `{kind}`, {len(rows)} files | {asked:,} | {left:,} ({left / max(asked, 1):.2%})"
              f" | {times[0]:.2f} | {max(times[1:], default=0):.2f} | {statistics.median(times):.3f} | {max(row[3] for row in rows.values()):.0f} MB |")
        if keep:
            lines = [f"{n} {q} {o} {s:.3f} {m:.0f} {c}" for n, (q, o, s, m, c) in sorted(rows.items())]
            (keep / f"{kind.split()[0]}.figures").write_text("\n".join(lines) + "\n")


main()
