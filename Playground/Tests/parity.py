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
    """Tests, claims, checks with and without proofs, matrices of the apps and the examples."""
    found, compared = [], 0
    folders = [ROOT / "rules", ROOT / "Playground/Examples"]
    for suite in sorted(one for folder in folders for one in folder.glob("*.suite.json")):
        text = suite.read_text()
        rules = suite.parent / re.search(r'"rules":\s*"([^"]+)"', text).group(1)
        base = {"rules": rules.read_text(), "suite": text, "now": 1_761_037_200_000}
        for task, arguments in [
            ("test", ["test", suite, "--trace", "all"]), ("prove", ["prove", suite]),
            ("check", ["check", rules]), ("check --deep", ["check", "--deep", rules]),
            ("audit", ["audit", rules]), ("audit --field", ["audit", rules, "--field", "fcmToken"]),
        ]:
            if "--field" in task and "fcmToken" not in base["rules"]:
                continue
            native = json.loads(subprocess.run(
                [program, *map(str, arguments), "--format", "json"], capture_output=True, text=True).stdout)
            answer = ask(page, {"do": task.split()[0], "deep": "--deep" in task,
                                **({"field": "fcmToken"} if "--field" in task else {}), **base})
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


UNARY = {"IS_NULL": ("==", None), "IS_NOT_NULL": ("!=", None),
         "IS_NAN": ("==", {"$float": "NaN"}), "IS_NOT_NAN": ("!=", {"$float": "NaN"})}


class Unconvertible(Exception):
    """A recorded request that suites have no words for."""


def value_of(value):
    """A value of the REST interface as suites write it."""
    kind, inner = next(iter(value.items()))
    if kind == "integerValue":
        return {"$int": str(inner)}
    if kind == "doubleValue":
        return {"$float": inner}
    if kind == "nullValue":
        return None
    if kind in ("stringValue", "booleanValue"):
        return inner
    if kind == "timestampValue":
        return {"$timestamp": inner}
    if kind == "bytesValue":
        return {"$bytes": inner}
    if kind == "referenceValue":
        # Below `@ROOT@`, which stands for the database.
        return {"$ref": "/" + inner.split("/", 1)[1]}
    if kind == "geoPointValue":
        return {"$latlng": [inner.get("latitude", 0), inner.get("longitude", 0)]}
    if kind == "arrayValue":
        return [value_of(one) for one in inner.get("values", [])]
    if kind == "mapValue":
        return {key: value_of(one) for key, one in inner.get("fields", {}).items()}
    raise Unconvertible(kind)


def condition(where):
    """A filter as a condition of a suite's query."""
    if "compositeFilter" in where:
        part = where["compositeFilter"]
        return {"or" if part["op"] == "OR" else "and": [condition(one) for one in part["filters"]]}
    if "unaryFilter" in where:
        part = where["unaryFilter"]
        return [part["field"]["fieldPath"], *UNARY[part["op"]]]
    part = where["fieldFilter"]
    return [part["field"]["fieldPath"], OPERATORS[part["op"]], value_of(part["value"])]


def transformed(transform):
    kind = next(key for key in transform if key != "fieldPath")
    given = transform[kind]
    if kind == "setToServerValue":
        return {"$serverTimestamp": True}
    if kind == "increment":
        return {"$increment": value_of(given)}
    names = {"appendMissingElements": "$arrayUnion", "removeAllFromArray": "$arrayRemove"}
    if kind in names:
        return {names[kind]: [value_of(one) for one in given.get("values", [])]}
    raise Unconvertible(kind)


def field(data, path):
    """What stands at a dotted path, as one key; Unconvertible if nothing does."""
    for key in path.split("."):
        if not isinstance(data, dict) or key not in data or "`" in path:
            raise Unconvertible(f"mask without data: {path}")
        data = data[key]
    return data


def write_of(verb, write):
    """A write of a suite, from one of the REST interface."""
    if write.get("precondition"):
        raise Unconvertible("precondition")
    result, data = {verb: "/" + write["path"]}, write.get("data")
    mask, transforms = write.get("mask"), write.get("transforms", [])
    if verb == "delete":
        return result
    data = dict(data or {})
    if mask is not None and verb == "update":
        changed = {}
        for path in mask:
            try:
                changed[path] = field(data, path)
            except Unconvertible:
                changed[path] = {"$delete": True}
        data = changed
    elif mask is not None:
        for path in mask:
            field(data, path)
        result["merge"] = mask
    elif verb == "update":
        # Without a mask it replaces the document, as a set does.
        result = {"set": result["update"]}
    for transform in transforms:
        path = transform["fieldPath"]
        if "." in path and "update" not in result:
            raise Unconvertible("a transform inside a map")
        data[path] = transformed(transform)
        if "merge" in result:
            result["merge"] = [*result["merge"], path]
    result["data"] = data
    return result


def list_of(request):
    query = request.get("query", {})
    if set(query) - {"from", "where", "limit", "offset", "orderBy"} or len(query["from"]) != 1:
        raise Unconvertible("query")
    source = query["from"][0]
    if "collectionId" not in source:
        raise Unconvertible("all collections")
    parent = request["path"]
    test = {"list": f"/{parent}/{source['collectionId']}" if parent else "/" + source["collectionId"]}
    if source.get("allDescendants"):
        test["collectionGroup"] = True
    test["query"] = {"where": [condition(query["where"])]} if "where" in query else {}
    if "orderBy" in query:
        test["query"]["orderBy"] = [
            [one["field"]["fieldPath"], "desc" if one.get("direction") == "DESCENDING" else "asc"]
            for one in query["orderBy"]]
    for key in ("limit", "offset"):
        if isinstance(query.get(key), int):
            test["query"][key] = query[key]
    return test


def asker(auth):
    if auth is None or isinstance(auth, str):
        return auth and {"uid": auth}
    if "token" in auth:
        return {"uid": auth["uid"], "token": auth["token"]}
    return {"uid": auth["uid"], "token": {key: value for key, value in auth.items() if key != "uid"}}


def test_of(request):
    """A recorded request as a test of a suite."""
    if not isinstance(request.get("path", ""), str):
        raise Unconvertible("several documents")
    method = request["method"]
    if method == "query":
        test = list_of(request)
    elif method == "commit":
        test = {"batch": [write_of(write["op"], write) for write in request["writes"]]}
    elif method in ("get", "list"):
        test = {method: "/" + request["path"]}
        if method == "list":
            test["query"] = {"limit": 30}
    else:
        test = write_of(method, request)
    return {"as": asker(request.get("auth")), "time": "2026-11-18T22:13:20.123Z", "expect": "allow", **test}


def decisions(page, program, cases, traces):
    """The same tests in the page and in the program: `(name, rules, suite)`; with `traces` every value that
    conditions came to is compared, too."""
    found = []
    part = 1000
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (_, rules, suite) in enumerate(cases):
            inside = pathlib.Path(folder) / f"{number:05}"
            inside.mkdir()
            (inside / "case.rules").write_text(rules)
            (inside / "case.suite.json").write_text(suite)
            paths.append(str(inside / "case.suite.json"))
        native = {}
        for start in range(0, len(paths), part):
            # The report goes through a file: a pipe would wait for nobody, but two of them could.
            report = json.loads(subprocess.run(
                [program, "test", *paths[start:start + part], "--format", "json", "--trace", "all"],
                capture_output=True, text=True).stdout)
            for one in report["suites"]:
                native[int(pathlib.Path(one["suite"]).parent.name)] = one["tests"]
    for number, (name, rules, suite) in enumerate(cases):
        answer = ask(page, {"do": "test", "rules": rules, "suite": suite, "now": 1_761_037_200_000})
        ours = native.get(number)
        theirs = answer["report"]["suites"][0]["tests"] if "report" in answer else None
        if not traces:
            ours, theirs = ([[one.get("name"), one["decision"], one.get("denial"), one["cost"]] for one in tests or []]
                            for tests in (ours, theirs))
        found += differences(plain(ours), plain(theirs), name)
    return len(cases), found


def json_text(documents):
    return {"/" + path: data for path, data in documents.items()}


def recorded(name):
    with open(ROOT / "Tests/RulesTests/Conformance" / name) as file:
        return [json.loads(line) for line in file]


def environments(page, program):
    """Every recorded expression as the condition of the statement that it was asked in, under the request of
    its environment, with all values below it."""
    known = json.loads((ROOT / "Tests/RulesTests/Conformance/environments.json").read_text())
    documents = json_text(known["documents"])
    tests = {name: test_of(one["request"]) for name, one in known["environments"].items()}
    cases = []
    for case in recorded("expressions.jsonl"):
        rules = known["environments"][case["env"]]["ruleset"]
        rules = rules.replace("<FUNCTIONS>", case.get("functions", "")).replace("<EXPR>", case["expr"])
        suite = json.dumps({"rules": "case.rules", "documents": documents, "tests": [tests[case["env"]]]})
        cases.append((f"{case['id']} {case['expr']}", rules, suite))
    return decisions(page, program, cases, traces=True)


def rule_sets(page, program):
    """The recorded rule sets with the requests that suites have words for, queries among them."""
    cases = []
    for case in recorded("rulesets.jsonl"):
        try:
            test = test_of(case["request"])
        except (Unconvertible, KeyError):
            continue
        suite = {"rules": "case.rules", "documents": json_text(case.get("documents", {})), "tests": [test]}
        cases.append((f"rule set {case['id']}", case["rules"], json.dumps(suite)))
    return decisions(page, program, cases, traces=False)


def query_cells(page, program):
    """Every condition of the matrix with every query of it."""
    matrix = json.loads((ROOT / "Tests/RulesTests/Conformance/list-matrix.json").read_text())
    documents, cells = json_text(matrix["documents"]), 0
    queries = [matrix["queries"][name] for name in matrix["order"]]
    tests = [test_of({"auth": "u1", "method": "query", "path": "", "query": one}) for one in queries]
    for number, test in enumerate(tests):
        test["name"] = f"query {number}"
    suite = json.dumps({"rules": "case.rules", "documents": documents, "tests": tests})
    cases = []
    for text in matrix["cells"]:
        rules = ("rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
                 f"    match /t/{{id}} {{ allow list: if {text}; }}\n  }}\n}}\n")
        cases.append((f"queries under {text}", rules, suite))
    count, found = decisions(page, program, cases, traces=False)
    return count * len(tests), found
