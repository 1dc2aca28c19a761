#!/usr/bin/env python3
"""The users collection decided by other policy engines, beside rules-check: one table.

    python3 Benchmarks/compare.py

Each engine decides 64 updates of a document of eight strings by the policy of Benchmarks/users.rules:
the owner may change the token and nothing else. An engine that is not installed is said to be missing.
From Python packages: common-expression-language (CEL), cedarpy (Cedar), regopy (Rego); from PATH:
cel-go-bench (or CEL_GO_BENCH: the Go program of Benchmarks/cel-go), opa, java with the official
emulator's jar (FIRESTORE_EMULATOR_JAR, or the Debian package's).
"""

import base64
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time
from http.client import HTTPConnection

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIELDS = ["displayName", "email", "photoURL", "bio", "city", "language", "createdAt", "fcmToken"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
COUNT = 64
RUNS = 9
SECONDS = 0.05
PROJECT = "rules-check-bench"


# The policy in CEL, which has no way to compare two maps but key by key.
CEL = (
    "auth != null && auth.uid == userID"
    " && after.all(k, k == 'fcmToken' || (k in before && before[k] == after[k]))"
    " && before.all(k, k == 'fcmToken' || k in after)")


class Missing(Exception):
    """An engine that is not on this machine."""


def updates():
    """Allowed updates, and the same with a second field changed, which are not."""
    dice = random.Random(20251021)

    def text(length):
        return "".join(dice.choices(LETTERS, k=length))

    allowed, denied = [], []
    for _ in range(COUNT):
        uid = text(28)
        before = {name: text(152 if name == "fcmToken" else 24) for name in FIELDS}
        after = dict(before, fcmToken=text(152))
        allowed.append((uid, before, after))
        denied.append((uid, before, dict(after, bio=text(24))))
    return allowed, denied


def measure(decide, seconds=SECONDS):
    """Nanoseconds for one decision: the median of several runs, the fastest and the slowest."""
    times = 1
    while True:
        start = time.process_time_ns()
        for place in range(times):
            decide(place % COUNT)
        taken = time.process_time_ns() - start
        if taken > seconds * 1e9 / 4 or times > 1 << 24:
            break
        times *= 4
    times = max(1, int(times * seconds * 1e9 / max(taken, 1)))
    results = []
    for _ in range(RUNS):
        start = time.process_time_ns()
        for place in range(times):
            decide(place % COUNT)
        results.append((time.process_time_ns() - start) / times)
    return statistics.median(results), min(results), max(results)


def check(decide_allowed, decide_denied):
    """An engine that decides otherwise measures something else."""
    for place in range(COUNT):
        if decide_allowed(place) is not True or decide_denied(place) is not False:
            raise SystemExit(f"update {place} is decided otherwise than the policy says")


def rules_check():
    program = os.path.join(ROOT, ".build", "release", "rules-check-dev")
    if not os.path.exists(program):
        raise Missing("swift build -c release first")
    report = json.loads(subprocess.check_output([program, "bench", "--format", "json"]))
    row = report["sections"][0]["cases"][0]

    def figures(name):
        return tuple(float(row[name][key]) for key in ("median", "fastest", "slowest"))

    return [
        ("the rule written by hand in Swift", figures("floor"), "on loaded data"),
        ("rules-check, decision", figures("decision"), "on a loaded request"),
        ("rules-check, with loading", figures("loading"), "from parsed values"),
        ("rules-check, whole request", figures("request"), "from the scripted request"),
    ]


def cel():
    try:
        from cel import Context, compile as compile_cel
    except ImportError:
        raise Missing("pip install common-expression-language")
    program = compile_cel(CEL)

    def contexts(cases):
        return [
            Context(variables={
                "auth": {"uid": uid}, "userID": uid, "before": before, "after": after})
            for uid, before, after in cases]

    allowed, denied = map(contexts, updates())
    check(lambda i: program.execute(allowed[i]), lambda i: program.execute(denied[i]))
    return [("CEL in Rust", measure(lambda i: program.execute(allowed[i])),
             "compiled once, on a context made before; called from Python")]


def cedar():
    try:
        from cedarpy import Entities, PolicySet, is_authorized
    except ImportError:
        raise Missing("pip install cedarpy")
    same = "".join(
        f" && context.before.{name} == context.after.{name}" for name in FIELDS[:-1])
    policies = PolicySet.from_str(
        'permit(principal, action == Action::"update", resource) when '
        "{ resource.owner == principal" + same + " };")

    def requests(cases):
        found = []
        for uid, before, after in cases:
            entities = Entities.from_json_str(json.dumps([{
                "uid": {"type": "Document", "id": uid}, "parents": [],
                "attrs": {"owner": {"__entity": {"type": "User", "id": uid}}}}]))
            found.append(({
                "principal": f'User::"{uid}"', "action": 'Action::"update"',
                "resource": f'Document::"{uid}"',
                "context": {"before": before, "after": after}}, entities))
        return found

    def decide(pair):
        return is_authorized(pair[0], policies, pair[1]).allowed

    allowed, denied = map(requests, updates())
    check(lambda i: decide(allowed[i]), lambda i: decide(denied[i]))
    rows = [("Cedar in Rust", measure(lambda i: decide(allowed[i])),
             "policies and entities read before; reads the context; called from Python")]
    # What the engine itself says that it took, in whole microseconds.
    metrics = is_authorized(allowed[0][0], policies, allowed[0][1]).metrics
    if "authz_duration_micros" in metrics:
        own = []
        for _ in range(20):
            for request, entities in allowed:
                result = is_authorized(request, policies, entities)
                own.append(result.metrics["authz_duration_micros"] * 1000.0)
        rows.append(("Cedar, its own clock", (statistics.median(own), min(own), max(own)),
                     "the decision alone, in whole microseconds"))
    return rows


def rego():
    try:
        from regopy import Interpreter
    except ImportError:
        raise Missing("pip install regopy")
    interpreter = Interpreter()
    interpreter.add_module("users.rego", REGO)

    def inputs(cases):
        return [
            {"auth": {"uid": uid}, "userID": uid, "before": before, "after": after}
            for uid, before, after in cases]

    def decide(value):
        interpreter.set_input(value)
        return str(interpreter.query("data.users.allow")) == '{"expressions":[true]}'

    allowed, denied = map(inputs, updates())
    check(lambda i: decide(allowed[i]), lambda i: decide(denied[i]))
    return [("Rego in C++", measure(lambda i: decide(allowed[i])),
             "the module read before; the query is read each time; called from Python")]


REGO = """package users

import rego.v1

default allow := false

allow if {
  input.auth.uid == input.userID
  changed := {key | value := input.after[key]; object.get(input.before, key, null) != value}
  removed := {key | input.before[key]; object.get(input.after, key, null) == null}
  count((changed | removed) - {"fcmToken"}) == 0
}
"""


def opa():
    program = shutil.which("opa")
    if not program:
        raise Missing("no opa on PATH")
    uid, before, after = updates()[0][0]
    folder = os.path.join(ROOT, ".build", "compare")
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, name) for name in ("users.rego", "input.json")]
    for path, text in zip(paths, (REGO, json.dumps(
            {"auth": {"uid": uid}, "userID": uid, "before": before, "after": after}))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    report = json.loads(subprocess.check_output([
        program, "bench", "--format", "json", "-d", paths[0], "-i", paths[1],
        "data.users.allow == true"]))
    median = report["Extra"]["histogram_timer_rego_query_eval_ns_median"]
    return [("OPA", (median, median, median), "one of the updates, by its own benchmark")]


def cel_go():
    program = os.environ.get("CEL_GO_BENCH") or shutil.which("cel-go-bench")
    if not program:
        raise Missing("no cel-go-bench on PATH, and no CEL_GO_BENCH; see Benchmarks/cel-go")

    def job(cases):
        return [
            {"auth": {"uid": uid}, "userID": uid, "before": before, "after": after}
            for uid, before, after in cases]

    allowed, denied = map(job, updates())

    def figures(expression):
        answer = json.loads(subprocess.check_output([program], input=json.dumps({
            "expression": expression, "allowed": allowed, "denied": denied, "runs": RUNS,
            "seconds": SECONDS}).encode()))
        return tuple(answer[key] for key in ("median", "fastest", "slowest"))

    same = "".join(f" && before.{name} == after.{name}" for name in FIELDS[:-1])
    return [
        ("cel-go", figures(CEL), "compiled once with types, on an activation made before"),
        ("cel-go, fields named", figures("auth != null && auth.uid == userID" + same),
         "a weaker policy: seven fields must be equal, others may be added"),
    ]


def emulator():
    jar = os.environ.get("FIRESTORE_EMULATOR_JAR") or debian_jar()
    if not jar or not shutil.which("java"):
        raise Missing("no java, or no firestore-emulator.jar")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    java = subprocess.Popen(
        ["java", "-Xmx1g", "-cp", jar, "com.google.cloud.datastore.emulator.firestore.CloudFirestore",
         "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return [("official emulator", ask_emulator(port),
                 "over HTTP on one connection, the write included")]
    finally:
        java.terminate()
        java.wait()


def debian_jar():
    if not shutil.which("dpkg"):
        return None
    listed = subprocess.run(
        ["dpkg", "-L", "google-cloud-cli-firestore-emulator"], capture_output=True, text=True,
        check=False)
    return next((line for line in listed.stdout.split("\n")
                 if line.endswith("firestore-emulator.jar")), None)


def ask_emulator(port):
    connection = None
    for _ in range(300):
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=30)
            connection.connect()
            break
        except OSError:
            time.sleep(0.1)
    else:
        raise SystemExit("the emulator does not start")

    def call(method, path, body, token):
        connection.request(method, path, json.dumps(body), {
            "Authorization": "Bearer " + token, "Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    with open(os.path.join(ROOT, "Benchmarks", "users.rules"), encoding="utf-8") as file:
        rules = {"rules": {"files": [{"name": "firestore.rules", "content": file.read()}]}}
    if call("PUT", f"/emulator/v1/projects/{PROJECT}:securityRules", rules, "owner") != 200:
        raise SystemExit("the emulator refuses the rules")
    base = f"projects/{PROJECT}/databases/(default)/documents"

    def commit(uid, data, token, exists):
        write = {"update": {
            "name": f"{base}/users/{uid}",
            "fields": {key: {"stringValue": value} for key, value in data.items()}}}
        if exists:
            write["currentDocument"] = {"exists": True}
        return call("POST", f"/v1/{base}:commit", {"writes": [write]}, token)

    allowed, denied = updates()
    for uid, before, after in allowed:
        if commit(uid, before, "owner", False) != 200:
            raise SystemExit("the emulator stores nothing")
    tokens = [jwt(uid) for uid, _, _ in allowed]
    # Denied first: an allowed update changes what is stored.
    for place, (uid, _, after) in enumerate(denied):
        if commit(uid, after, tokens[place], True) != 403:
            raise SystemExit("the emulator allows what the policy denies")
    results = []
    for run in range(RUNS):
        start = time.perf_counter_ns()
        for place, (uid, _, after) in enumerate(allowed):
            token = ("A" if run % 2 else "B") * 152
            if commit(uid, dict(after, fcmToken=token), tokens[place], True) != 200:
                raise SystemExit("the emulator denies what the policy allows")
        results.append((time.perf_counter_ns() - start) / COUNT)
    # The first runs warm the emulator up.
    results = results[RUNS // 3:]
    return statistics.median(results), min(results), max(results)


def jwt(uid):
    def part(value):
        raw = json.dumps(value).encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    claims = {"sub": uid, "user_id": uid, "iat": 0, "exp": 4102444800,
              "firebase": {"sign_in_provider": "custom"}}
    return part({"alg": "none", "typ": "JWT"}) + "." + part(claims) + "."


ENGINES = [
    ("rules-check", rules_check), ("CEL in Rust", cel), ("cel-go", cel_go),
    ("Cedar in Rust", cedar), ("Rego in C++", rego), ("OPA", opa),
    ("official emulator", emulator),
]


def main():
    rows, missing = [], []
    for name, engine in ENGINES:
        try:
            rows += engine()
        except Missing as reason:
            missing.append((name, str(reason)))
    own = next((row[1][0] for row in rows if row[0] == "rules-check, decision"), None)
    print("| engine | ns a decision | spread | times ours | what is measured |")
    print("|---|--:|--:|--:|---|")
    for name, (median, fastest, slowest), note in rows:
        ratio = f"{median / own:,.1f}" if own else ""
        print(f"| {name} | {median:,.0f} | {fastest:,.0f}-{slowest:,.0f} | {ratio} | {note} |")
    for name, reason in missing:
        print(f"| {name} | | | | not here: {reason} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
