// The pages about names, types and limits.

extension CodePage {
  static let names: [CodePage] = [
    CodePage(
      .unknownVariable, severity: .warning,
      meaning:
        "No variable of this name is visible here. Reading it is the error `Null value error.` at run "
        + "time, so that the condition does not grant; a condition with `||` may still grant by its "
        + "other side.",
      at: .condition, bad: "reqest.auth != null", good: "request.auth != null"),
    CodePage(
      .unknownFunction, severity: .warning,
      meaning:
        "No function of this name is visible here, or no type has a method of this name. "
        + "Calling it is an error at run time, so that the condition does not grant. No proof "
        + "relies on that: what depends on such a call is undecided.",
      at: .condition, bad: "note.length() < 20", good: "note.size() < 20"),
    CodePage(
      .unknownOperation, severity: .warning,
      meaning:
        "The word after `allow` is not an operation. It grants nothing; the other operations "
        + "of the statement count. The operations are read, get, list, write, create, update, "
        + "delete.",
      at: .block, bad: "allow raed: if true;", good: "allow read: if true;"),
    CodePage(
      .unknownService, severity: .warning,
      meaning:
        "Google knows no service of this name. Nothing inside takes part in Firestore's "
        + "decisions. The commands refuse it like every service other than Firestore: "
        + "`foreign-service`.",
      at: .file,
      bad: "rules_version = '2';\nservice firestore { match /notes/{note} { allow read; } }",
      good: "rules_version = '2';\nservice cloud.firestore { match /notes/{note} { allow read; } }"),
    CodePage(
      .foreignService, severity: .error,
      meaning:
        "Rules of a service other than `cloud.firestore`, for example Cloud Storage. Google's "
        + "compiler accepts them, and several services in one file. rules-check does not know "
        + "the requests of other services, so every command refuses such a file. `check` still "
        + "reports what it finds without proofs in its Firestore rules.",
      at: .file,
      bad: "rules_version = '2';\nservice firebase.storage { match /b/{bucket}/o { allow read; } }",
      good: "rules_version = '2';\nservice cloud.firestore { match /notes/{note} { allow read; } }"),
    CodePage(
      .lookupScope, severity: .warning,
      meaning:
        "A function outside of the service calls `get`, `exists` or their like. It works; Google's "
        + "compiler warns because those functions belong to Firestore.",
      at: .file,
      bad: """
        rules_version = '2';
        function isAdmin(path) { return exists(path); }
        service cloud.firestore { match /notes/{note} { allow read: if isAdmin(/a/b); } }
        """,
      good: """
        rules_version = '2';
        service cloud.firestore {
          function isAdmin(path) { return exists(path); }
          match /notes/{note} { allow read: if isAdmin(/a/b); }
        }
        """),
    CodePage(
      .unusedFunction, severity: .warning,
      meaning: "Nothing calls the function. Perhaps a condition that should call it does not.",
      at: .block, bad: "function signedIn() { return request.auth != null; }\nallow read;",
      good: "function signedIn() { return request.auth != null; }\nallow read: if signedIn();"),
    CodePage(
      .unusedVariable, severity: .warning,
      meaning:
        "A parameter or a `let` that nothing reads. Its value is still computed and paid for.",
      at: .block,
      bad:
        "function isOwner(uid) { return request.auth.uid == note; }\nallow read: if isOwner(note);",
      good:
        "function isOwner(uid) { return request.auth.uid == uid; }\nallow read: if isOwner(note);"),
    CodePage(
      .duplicateService, severity: .error, meaning: "A file may declare a service once.",
      at: .file,
      bad: """
        rules_version = '2';
        service cloud.firestore { match /notes/{note} { allow read; } }
        service cloud.firestore { match /tasks/{task} { allow read; } }
        """,
      good: """
        rules_version = '2';
        service cloud.firestore {
          match /notes/{note} { allow read; }
          match /tasks/{task} { allow read; }
        }
        """),
    CodePage(
      .duplicateFunction, severity: .error,
      meaning: "Two functions of one block have the same name. The number of parameters makes no "
        + "difference: functions are found by name alone.",
      at: .block,
      bad:
        "function own() { return own(note); }\nfunction own(id) { return request.auth.uid == id; }\n"
        + "allow read: if own();",
      good:
        "function own() { return owns(note); }\nfunction owns(id) { return request.auth.uid == id; }\n"
        + "allow read: if own();"),
    CodePage(
      .duplicateVariable, severity: .error,
      meaning: "A parameter or `let` has the name of another one of the same function.", at: .block,
      bad:
        "function own(id) { let id = request.auth.uid; return id == note; }\nallow read: if own(note);",
      good:
        "function own(id) { let uid = request.auth.uid; return uid == id; }\nallow read: if own(note);"
    ),
    CodePage(
      .duplicateCapture, severity: .error, meaning: "Two captures of one path have the same name.",
      at: .block,
      bad: "match /comments/{id}/replies/{id} { allow read; }",
      good: "match /comments/{comment}/replies/{reply} { allow read; }"),
    CodePage(
      .namespaceAsVariable, severity: .error,
      meaning:
        "`math`, `timestamp`, `duration`, `latlng` and `hashing` name groups of functions and cannot "
        + "be variables, parameters or captures.",
      at: .condition, bad: "duration == 5", good: "resource.data.duration == 5"),
  ]

  static let types: [CodePage] = [
    CodePage(
      .unknownType, severity: .error,
      meaning:
        "The word after `is` is not a type. The types are bool, bytes, constraint, duration, "
        + "float, int, latlng, list, map, map_diff, number, path, set, string, timestamp, vector.",
      at: .condition, bad: "resource.data.done is boolean", good: "resource.data.done is bool"),
    CodePage(
      .typeMismatch, severity: .warning,
      meaning:
        "A value can never have a type that fits here. Evaluating it is an error at run time, so the "
        + "condition does not grant.",
      at: .condition, bad: "[note] + ['a'] == ['b', 'a']",
      good: "[note].concat(['a']) == ['b', 'a']"),
    CodePage(
      .conditionType, severity: .warning,
      meaning: "A condition that can never be true or false never grants.",
      at: .condition, bad: "note.size()", good: "note.size() > 0"),
    CodePage(
      .contradictoryUse, severity: .warning,
      meaning:
        "No type fits all uses of a variable, such as a number in one place and a string in another. One "
        + "of the two is an error at run time.",
      at: .condition, bad: "note.size() > 0 && exists(note)",
      good: "note.size() > 0 && exists(/databases/$(database)/documents/notes/$(note))"),
    CodePage(
      .constantComparison, severity: .warning,
      meaning:
        "Two values of different types are never equal. The comparison is false (`!=`: true) "
        + "for every request. An int and a float may be equal.",
      at: .condition, bad: "note.size() == '4'", good: "note.size() == 4"),
    CodePage(
      .differentBranches, severity: .warning,
      meaning:
        "The two results of `c ? a : b` have different types. An expression that uses the "
        + "result may be an error for one of them.",
      at: .condition, bad: "(resource.data.done == true ? 1 : 'a') != null",
      good: "(resource.data.done == true ? 1 : 0) == 1"),
    CodePage(
      .argumentCount, severity: .warning,
      meaning:
        "A call has too many or too few arguments. It is an error at run time, so the condition does "
        + "not grant.",
      at: .condition, bad: "resource.data.get('done') == true",
      good: "resource.data.get('done', false) == true"),
    CodePage(
      .invalidPattern, severity: .error,
      meaning:
        "The argument of `matches` or `split` is not a valid regular expression. The syntax is "
        + "RE2: no look-around, no back-references, at most 1000 repetitions. A pattern may have "
        + "4096 UTF-16 units and 100 groups, nested at most 20 deep.",
      at: .condition, bad: "note.matches('a**')", good: "note.matches('a*')"),
  ]

  static let limits: [CodePage] = [
    CodePage(
      .recursion, severity: .error,
      meaning: "A function must not call itself, directly or through others.", at: .block,
      bad: "function deep(n) { return n == 0 || deep(n - 1); }\nallow read: if deep(3);",
      good: "function deep(n) { return n == 0 || n == 1 || n == 2; }\nallow read: if deep(3);"),
    CodePage(
      .limitNesting, severity: .error,
      meaning:
        "An expression is nested deeper than 99 levels. Each operator and each pair of "
        + "parentheses is a level over its operands; a chain of `&&` is as deep as it is long. "
        + "Move parts into functions: each has its own count.",
      at: .condition, bad: String(repeating: "!", count: 99) + "true", good: "!true"),
    CodePage(
      .limitMatchDepth, severity: .error,
      meaning:
        "Match blocks are nested deeper than 11 levels (Google's text says 10, and so does `--profile "
        + "strict`). Write several segments in one `match`.",
      at: .block,
      bad: (1...10).map { "match /a\($0) {" }.joined(separator: " ") + " allow read; "
        + String(repeating: "}", count: 10),
      good: "match " + (1...10).map { "/a\($0)" }.joined() + " { allow read; }"),
    CodePage(
      .limitPathLength, severity: .error,
      meaning: "The path of a block, together with those around it, has more than 100 segments.",
      at: .block,
      bad: "match " + String(repeating: "/a", count: 96) + " { allow read; }",
      good: "match " + String(repeating: "/a", count: 95) + " { allow read; }"),
    CodePage(
      .limitCaptures, severity: .error,
      meaning: "A path, together with those of the blocks around it, has more than 20 captures.",
      at: .block,
      bad: "match " + (1...19).map { "/{c\($0)}" }.joined() + " { allow read; }",
      good: "match " + (1...18).map { "/{c\($0)}" }.joined() + " { allow read; }"),
    CodePage(
      .limitParameters, severity: .error,
      meaning: "A function has more than 7 parameters. Pass a map or a list.",
      at: .block,
      bad: "function all(a, b, c, d, e, f, g, h) { return a && b && c && d && e && f && g && h; }\n"
        + "allow read: if all(true, true, true, true, true, true, true, true);",
      good: "function all(list) { return list.hasOnly([true]); }\n"
        + "allow read: if all([true, true, true, true, true, true, true, true]);"),
    CodePage(
      .limitLets, severity: .error,
      meaning:
        "A function has more than 11 `let`s (Google's text says 10, and so does `--profile strict`).",
      at: .block,
      bad: "function sum() {\n"
        + (1...12).map { "  let a\($0) = \($0);\n" }.joined()
        + "  return " + (1...12).map { "a\($0)" }.joined(separator: " + ")
        + ";\n}\nallow read: if sum() > 0;",
      good: "function sum() { return 78; }\nallow read: if sum() > 0;"),
    CodePage(
      .limitCallDepth, severity: .error,
      meaning:
        "Functions call functions more than 21 deep (Google's text says 20, and so does `--profile "
        + "strict`), even if nothing calls the first.",
      at: .block,
      bad: (1...22).map { "function f\($0)() { return \($0 == 22 ? "true" : "f\($0 + 1)()"); }" }
        .joined(separator: "\n") + "\nallow read: if f1();",
      good: "function f1() { return true; }\nallow read: if f1();"),
    CodePage(
      .limitSource, severity: .warning,
      meaning:
        "The file is larger than the 256 KB that production accepts as documented. Under `--profile "
        + "strict` this is an error."),
  ]
}
