"""The engine in the page beside the program: the same questions, and the same answers to the letter."""

import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ask(page, request):
    """The answer of the page's engine, as it was read from its JSON."""
    return json.loads(page.run(
        f"playground.engine.ask('parity', {json.dumps(request)}).then((one) => one.text || JSON.stringify(one.value))", timeout=300))


def differences(left, right, what):
    return [] if left == right else [f"{what}: the program says {str(left)[:200]}, the page {str(right)[:200]}"]


def expressions(page, program):
    """Every recorded expression that needs no environment."""
    lines = []
    with open(ROOT / "Tests/RulesTests/Conformance/expressions.jsonl") as file:
        for line in file:
            case = json.loads(line)
            text = case.get("expr") or case.get("expression") or ""
            if text and "\n" not in text:
                lines.append(text)
    native = subprocess.run([program, "eval", "--lines"], input="\n".join(lines) + "\n", capture_output=True,
                            text=True, check=True).stdout.split("\n")[:-1]
    found, compared = [], 0
    for start in range(0, len(lines), 500):
        part = lines[start:start + 500]
        report = ask(page, {"do": "eval", "lines": part})["report"]
        for text, ours, theirs in zip(part, native[start:start + 500], report, strict=True):
            # The time of evaluation is the one thing that may differ.
            if "request.time" in text or "debug(" in text:
                continue
            compared += 1
            found += differences(json.loads(ours), theirs, text)
    return compared, found


def plain(value):
    """A report without what is never twice the same."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()
                if key not in ("milliseconds", "suite", "rules", "file", "date", "old", "new")}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"^[\w/.-]+\.rules:", "rules:", value)
    return value


def suites(page, program):
    """Tests, claims, checks, matrices of the apps and the examples."""
    found, compared = [], 0
    folders = [ROOT / "rules", ROOT / "Playground/Examples"]
    for suite in sorted(one for folder in folders for one in folder.glob("*.suite.json")):
        text = suite.read_text()
        rules = suite.parent / re.search(r'"rules":\s*"([^"]+)"', text).group(1)
        base = {"rules": rules.read_text(), "suite": text, "now": 1_761_037_200_000}
        for task, arguments in [
            ("test", ["test", suite, "--trace", "all"]), ("prove", ["prove", suite]),
            ("check", ["check", rules]), ("audit", ["audit", rules]),
        ]:
            native = json.loads(subprocess.run(
                [program, *map(str, arguments), "--format", "json"], capture_output=True, text=True).stdout)
            answer = ask(page, {"do": task, **base})
            page_report = answer.get("report")
            if page_report is None:
                found.append(f"{task} {suite.name}: the page says {str(answer)[:300]}")
                continue
            if task == "test":
                native, page_report = native["suites"][0]["tests"], page_report["suites"][0]["tests"]
            compared += 1
            found += differences(plain(native), plain(page_report), f"{task} {suite.name}")
    return compared, found


OPERATORS = {
    "EQUAL": "==", "NOT_EQUAL": "!=", "LESS_THAN": "<", "LESS_THAN_OR_EQUAL": "<=", "GREATER_THAN": ">",
    "GREATER_THAN_OR_EQUAL": ">=", "ARRAY_CONTAINS": "array-contains", "IN": "in", "NOT_IN": "not-in",
    "ARRAY_CONTAINS_ANY": "array-contains-any",
}


class Unconvertible(Exception):
    """A recorded request that suites have no words for."""


def value_of(value):
    kind, inner = next(iter(value.items()))
    if kind == "integerValue":
        return {"$int": str(inner)}
    if kind == "doubleValue":
        return {"$float": inner}
    if kind in ("stringValue", "booleanValue", "nullValue"):
        return inner if kind != "nullValue" else None
    if kind == "arrayValue":
        return [value_of(one) for one in inner.get("values", [])]
    if kind == "mapValue":
        return {key: value_of(one) for key, one in inner.get("fields", {}).items()}
    raise Unconvertible(kind)


def filters(where):
    if "compositeFilter" in where:
        if where["compositeFilter"]["op"] != "AND":
            raise Unconvertible("OR")
        return [one for part in where["compositeFilter"]["filters"] for one in filters(part)]
    if "unaryFilter" in where:
        part = where["unaryFilter"]
        value = {"$float": "NaN"} if part["op"].endswith("NAN") else None
        return [[part["field"]["fieldPath"], "!=" if "NOT" in part["op"] else "==", value]]
    part = where["fieldFilter"]
    return [[part["field"]["fieldPath"], OPERATORS[part["op"]], value_of(part["value"])]]


def test_of(request):
    """A recorded request as a test of a suite."""
    if not isinstance(request.get("path", ""), str):
        raise Unconvertible("several documents")
    auth = request.get("auth")
    if auth is not None and not isinstance(auth, str):
        raise Unconvertible("auth")
    test, method = {"as": auth and {"uid": auth}, "expect": "allow"}, request["method"]
    if set(request) & {"transforms", "precondition"}:
        raise Unconvertible("transforms")
    if method == "query":
        query = request["query"]
        if set(query) - {"from", "where", "limit"} or request["path"] or len(query["from"]) != 1:
            raise Unconvertible("query")
        source = query["from"][0]
        if "collectionId" not in source:
            raise Unconvertible("all collections")
        test["list"] = "/" + source["collectionId"]
        if source.get("allDescendants"):
            test["collectionGroup"] = True
        test["query"] = {"where": filters(query["where"])} if "where" in query else {}
        if isinstance(query.get("limit"), int):
            test["query"]["limit"] = query["limit"]
    elif method == "commit":
        test["batch"] = []
        for write in request["writes"]:
            if set(write) - {"op", "path", "data"}:
                raise Unconvertible("write")
            test["batch"].append({key: value for key, value in
                                  [(write["op"], "/" + write["path"]), ("data", write.get("data"))] if value is not None})
    else:
        test[method] = "/" + request["path"]
        if "data" in request:
            test["data"] = request["data"]
        if "mask" in request:
            raise Unconvertible("mask")
    return test


def rule_sets(page, program):
    """The recorded rule sets with the requests that suites have words for, queries among them."""
    cases = []
    with open(ROOT / "Tests/RulesTests/Conformance/rulesets.jsonl") as file:
        for line in file:
            case = json.loads(line)
            try:
                test = test_of(case["request"])
            except (Unconvertible, KeyError):
                continue
            documents = {"/" + path: data for path, data in case.get("documents", {}).items()}
            cases.append((case, json.dumps({"rules": "case.rules", "documents": documents, "tests": [test]})))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, (case, suite) in enumerate(cases):
            inside = pathlib.Path(folder) / f"{number:05}"
            inside.mkdir()
            (inside / "case.rules").write_text(case["rules"])
            (inside / "case.suite.json").write_text(suite)
            names.append(str(inside / "case.suite.json"))
        report = json.loads(subprocess.run(
            [program, "test", *names, "--format", "json", "--trace", "none"], capture_output=True, text=True).stdout)
    native = {pathlib.Path(one["suite"]).parent.name: one["tests"][0] for one in report["suites"]}
    for number, (case, suite) in enumerate(cases):
        answer = ask(page, {"do": "test", "rules": case["rules"], "suite": suite, "now": 1_761_037_200_000})
        ours = native.get(f"{number:05}")
        theirs = answer["report"]["suites"][0]["tests"][0] if "report" in answer else None
        same = [one and [one["decision"], one.get("denial"), one["cost"]] for one in (ours, theirs)]
        found += differences(same[0], same[1], f"rule set {case['id']}")
    return len(cases), found
