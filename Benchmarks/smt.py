#!/usr/bin/env python3
"""Claims as SMT-LIB scripts, decided by other solvers: how many agree with our answers.

    python3 Benchmarks/smt.py PROGRAM [--count N] [--seed N] [--limit SECONDS] [--keep DIR] SUITE…

Exports the claims of the suites (`prove --smtlib`), draws N of the scripts that state an answer, and puts
each to z3 and cvc5, those of them that are on PATH. A solver agrees, differs, does not know, or refuses the
script. Exits 1 if one differs or refuses. Where a claim is violated, our script may have models that no
request has, but never lacks one: `unsat` beside our `sat` is a wrong answer of one of the two.
"""

import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOLVERS = {
    "z3": lambda limit: ["z3", f"-T:{limit}"],
    "cvc5": lambda limit: ["cvc5", f"--tlimit={limit * 1000}"],
}


def export(program, suites, folder, timeout):
    """Writes the scripts of the suites, and returns the paths of those that state an answer."""
    found, silent = [], 0
    for number, suite in enumerate(suites):
        own = os.path.join(folder, str(number))
        os.makedirs(own)
        subprocess.run(
            [program, "prove", os.path.basename(suite), "--smtlib", own, "--format", "json",
             "--timeout", str(timeout)],
            cwd=os.path.dirname(os.path.abspath(suite)), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False)
        for name in sorted(os.listdir(own)):
            path = os.path.join(own, name)
            if status(path):
                found.append(path)
            else:
                silent += 1
    return found, silent


def status(path):
    """The answer that a script states; None if it states none."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"\(set-info :status (sat|unsat)\)", line)
            if match:
                return match[1]
            if line.startswith("(assert"):
                return None
    return None


def answer(command, path, limit):
    """A solver's answer: sat, unsat, unknown, or the error that it prints."""
    try:
        run = subprocess.run(
            command + [path], capture_output=True, text=True, timeout=limit + 5, check=False)
    except subprocess.TimeoutExpired:
        return "unknown"
    words = run.stdout.split()
    if words and words[0] in ("sat", "unsat"):
        return words[0]
    text = (run.stdout + run.stderr).strip()
    if not words or words[0] in ("unknown", "timeout") or "timeout" in text or "interrupted" in text:
        return "unknown"
    return "error: " + text[:200]


def main():
    """Exports, draws, asks, and prints a table."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("program")
    options.add_argument("suites", nargs="+")
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--limit", type=int, default=20, help="seconds for each script and solver")
    options.add_argument("--timeout", type=int, default=2000, help="milliseconds for each claim of ours")
    options.add_argument("--keep", help="folder for the scripts on which a solver differs")
    given = options.parse_args()
    program = os.path.abspath(given.program)
    solvers = [name for name in SOLVERS if shutil.which(name)]
    if not solvers:
        sys.exit("neither z3 nor cvc5 is on PATH: nothing was asked")
    with tempfile.TemporaryDirectory() as folder:
        paths, silent = export(program, given.suites, folder, given.timeout)
        drawn = random.Random(given.seed).sample(paths, min(given.count, len(paths)))
        stated = collections.Counter(status(path) for path in drawn)
        print(f"{len(drawn)} of {len(paths)} scripts (seed {given.seed}): {stated['unsat']} unsat, "
              f"{stated['sat']} sat; {silent} more state no answer")
        bad = 0
        for name in solvers:
            counts, begin = collections.Counter(), time.time()
            for path in drawn:
                own, other = status(path), answer(SOLVERS[name](given.limit), path, given.limit)
                word = ("agree" if other == own else "unknown" if other == "unknown"
                        else "refused" if other.startswith("error") else f"{other}, ours {own}")
                counts[word] += 1
                if word in ("agree", "unknown"):
                    continue
                bad += 1
                print(f"{name}: {other}, ours {own}: {os.path.relpath(path, folder)} of "
                      f"{given.suites[int(os.path.relpath(path, folder).split(os.sep)[0])]}")
                if given.keep:
                    os.makedirs(given.keep, exist_ok=True)
                    shutil.copy(path, os.path.join(
                        given.keep, name + "-" + os.path.relpath(path, folder).replace(os.sep, "-")))
            words = ", ".join(f"{count} {word}" for word, count in counts.most_common())
            print(f"{name}: {words} ({time.time() - begin:.0f} s)", flush=True)
    sys.exit(1 if bad else 0)


main()
