// The pages about texts that are not understood, and about the form of files and blocks.

extension CodePage {
  static let text: [CodePage] = [
    CodePage(
      .suite, severity: .error,
      meaning:
        "A suite, the data of a request or another JSON text cannot be read: it is not JSON, a "
        + "key is unknown or repeated, a path is not a document path, or a name is not among the "
        + "`users`. The message says which, and points to it. Such a suite does not run."),
    CodePage(
      .unreadable, severity: .error,
      meaning:
        "A file or folder does not exist, or cannot be read or written. The message says why."),
    CodePage(
      .configuration, severity: .error,
      meaning:
        "`.rulescheck.json` or `firebase.json` cannot be read. Nothing is checked or run."),
    CodePage(
      .git, severity: .error,
      meaning:
        "Git cannot provide the requested older version. Nothing is compared with it."),
    CodePage(
      .usage, severity: .error,
      meaning:
        "The command cannot do what you request, or there is nothing to do: no rules, no "
        + "suite, no test."),
    CodePage(
      .impossibleData, severity: .warning,
      meaning:
        "A suite has a document, path or token that cannot exist. Firestore rejects it before "
        + "any rule is checked: a list directly in a list, a field without a name or called "
        + "`__x__`, more than 20 maps and lists inside each other, more than 1 MiB; and no token "
        + "has NaN. No client can make the request, so the test proves nothing. It still runs."),
    CodePage(
      .missingAsker, severity: .warning,
      meaning:
        "Tests of a suite do not name a client, so nobody is signed in. Rules that require a "
        + "user deny such requests for that reason alone, so a test that expects a denial passes "
        + "whatever else the rules check. Write `\"as\": null` if a signed-out client is "
        + "intended; a group can set `as` for all of its tests."),
    CodePage(
      .literalVariable, severity: .warning,
      meaning:
        "A path in a suite has a segment such as `{uid}`, the way match blocks write "
        + "variables. But a request names one document: here, the one whose ID has exactly these "
        + "characters."),
    CodePage(
      .invalidUTF8, severity: .error,
      meaning:
        "The file is not valid UTF-8. Most often it was saved as Latin-1 or UTF-16. Save it as "
        + "UTF-8."),
    CodePage(
      .byteOrderMark, severity: .error,
      meaning:
        "The file begins with a byte order mark, three bytes that editors do not show. Google's compiler "
        + "refuses the file, so it cannot be deployed. Save it as UTF-8 without one."),
    CodePage(
      .emptyRules, severity: .error,
      meaning:
        "The file is empty. Google's compiler refuses it. Rules that allow nothing are a service with "
        + "`allow read, write: if false;`."),
    CodePage(
      .tooManyErrors, severity: .error,
      meaning:
        "There are more mistakes than are listed. After 100 syntax errors the rest of the file "
        + "is not checked; of other mistakes 1000 are listed. As a warning it only says that "
        + "more were found than are listed."),
  ]

  static let syntax: [CodePage] = [
    CodePage(
      .syntax, severity: .error,
      meaning:
        "The text is not what the grammar expects at this place. The message is that of Google's "
        + "compiler: `Unexpected`, `missing`, `mismatched`. The help line names the usual reason.",
      at: .condition, bad: "request.auth = null", good: "request.auth == null"),
    CodePage(
      .unknownCharacter, severity: .error,
      meaning:
        "No token begins with this character. Outside of strings and comments a rules file "
        + "knows only ASCII letters, digits and the characters of its operators. Word processors "
        + "turn quotes into others.",
      at: .condition, bad: "note == “draft”", good: "note == 'draft'"),
    CodePage(
      .unclosedString, severity: .error,
      meaning:
        "A string has no closing quote on its line, or a backslash in it begins no valid "
        + "escape. The compiler then reports the text after the string. In patterns, write every "
        + "backslash twice.",
      at: .condition, bad: "note == 'draft", good: "note == 'draft'"),
    CodePage(
      .invalidNumber, severity: .error,
      meaning: "An int literal that 64 bits cannot hold. The smallest int is written "
        + "`-9223372036854775808`, with the sign directly before the digits.",
      at: .condition, bad: "resource.data.size < 9223372036854775808",
      good: "resource.data.size <= 9223372036854775807"),
    CodePage(
      .invalidBytes, severity: .error,
      meaning: "A bytes literal has an escape for a character instead of an octet.",
      at: .condition, bad: "resource.data.key == b'\\u00e9'",
      good: "resource.data.key == b'\\xc3\\xa9'"
    ),
    CodePage(
      .incrementOperator, severity: .error,
      meaning:
        "`++` and `--` are tokens, but not operators. A minus before a negative number needs a "
        + "space.",
      at: .condition, bad: "resource.data.count == 1--1", good: "resource.data.count == 1 - -1"),
    CodePage(
      .misplacedPath, severity: .error,
      meaning:
        "There is a path where a statement or an operator is expected. Either the word `match` "
        + "is missing, or a division was written without a space after the slash: `/2` is the "
        + "segment of a path.",
      at: .condition, bad: "resource.data.total/2 > 10", good: "resource.data.total / 2 > 10"),
    CodePage(
      .incompletePath, severity: .error,
      meaning:
        "A slash is not followed by a segment. A path has no slash at its end and no empty segment; "
        + "a capture is `{name}` or `{name=**}`.",
      at: .block, bad: "match /comments/{comment}/ { allow read; }",
      good: "match /comments/{comment} { allow read; }"),
    CodePage(
      .missingOperation, severity: .error,
      meaning: "An allow statement without an operation allows nothing.",
      at: .block, bad: "allow: if request.auth != null;",
      good: "allow read: if request.auth != null;"),
    CodePage(
      .missingCondition, severity: .error,
      meaning:
        "The condition is incomplete: it needs a colon, the word `if` and an expression. An "
        + "allow statement without all three allows unconditionally.",
      at: .block, bad: "allow read if request.auth != null;",
      good: "allow read: if request.auth != null;"),
    CodePage(
      .missingBody, severity: .error,
      meaning:
        "A function lacks its name, its parameter list or its body. The body is any number of `let`s "
        + "and one `return`.",
      at: .block,
      bad: "function signedIn { return request.auth != null; }\nallow read: if signedIn();",
      good: "function signedIn() { return request.auth != null; }\nallow read: if signedIn();"),
    CodePage(
      .emptyBlock, severity: .error,
      meaning:
        "A service or match block with nothing in it. Remove it, or write `allow read: if false;`.",
      at: .block, bad: "allow read;\nmatch /drafts/{draft} { }",
      good: "allow read;\nmatch /drafts/{draft} { allow read: if false; }"),
  ]

  static let structure: [CodePage] = [
    CodePage(
      .unsupportedVersion, severity: .error, meaning: "The only versions are '1' and '2'.",
      at: .file,
      bad: "rules_version = '3';\nservice cloud.firestore { match /notes/{note} { allow read; } }",
      good: "rules_version = '2';\nservice cloud.firestore { match /notes/{note} { allow read; } }"),
    CodePage(
      .oldVersion, severity: .warning,
      meaning:
        "The file declares no version, or version 1. There `{name=**}` covers no collection "
        + "group queries, must end its path, and does not match zero segments.",
      at: .file, bad: "service cloud.firestore { match /notes/{note} { allow read; } }",
      good: "rules_version = '2';\nservice cloud.firestore { match /notes/{note} { allow read; } }"),
    CodePage(
      .letVersion, severity: .error, meaning: "`let` exists only in version 2.", at: .file,
      bad: """
        rules_version = '1';
        service cloud.firestore {
          match /notes/{note} {
            function owner() { let uid = request.auth.uid; return uid == note; }
            allow read: if owner();
          }
        }
        """,
      good: """
        rules_version = '2';
        service cloud.firestore {
          match /notes/{note} {
            function owner() { let uid = request.auth.uid; return uid == note; }
            allow read: if owner();
          }
        }
        """),
    CodePage(
      .importStatement, severity: .error,
      meaning: "The grammar has `import`, but the compiler rejects it. A ruleset is one file.",
      at: .file,
      bad: "rules_version = '2';\nimport 'shared';\n"
        + "service cloud.firestore { match /notes/{note} { allow read; } }",
      good: "rules_version = '2';\nservice cloud.firestore { match /notes/{note} { allow read; } }"),
    CodePage(
      .serviceName, severity: .error, meaning: "A keyword cannot name a service.", at: .file,
      bad: "rules_version = '2';\nservice match { match /notes/{note} { allow read; } }",
      good: "rules_version = '2';\nservice cloud.firestore { match /notes/{note} { allow read; } }"),
    CodePage(
      .misplacedGlob, severity: .error,
      meaning:
        "A path, together with the blocks around it, may have one `{name=**}`; in version 1 that must "
        + "be its last segment.",
      at: .block, bad: "match /{a=**}/comments/{b=**} { allow read; }",
      good: "match /{a=**}/comments/{comment} { allow read; }"),
    CodePage(
      .globChildren, severity: .warning,
      meaning:
        "In version 1 no request reaches a block inside one with `{name=**}`, so the "
        + "inner block grants nothing.",
      at: .file,
      bad: """
        rules_version = '1';
        service cloud.firestore {
          match /notes/{rest=**} { match /comments/{comment} { allow read; } }
        }
        """,
      good: """
        rules_version = '2';
        service cloud.firestore {
          match /notes/{rest=**} { match /comments/{comment} { allow read; } }
        }
        """),
  ]
}
