import RulesHost

/// The examples in the help of commands. The tests run each one in a project with rules and a suite.
enum Examples {
  /// The examples by command.
  static let table: [String: [CommandExample]] = [
    "test": [
      CommandExample("rules-check test", "all suites of the project"),
      CommandExample(
        "rules-check test --filter 'signed out'", "the tests with these words in their names"),
      CommandExample("rules-check test --min-coverage 80", "fail if they cover less than 80 %"),
      CommandExample(
        "rules-check test --format pretty --format junit --output rules.xml",
        "text here, and a JUnit report for CI"),
    ],
    "exec": [
      CommandExample("rules-check exec -- npm test", "run the tests of an app, with an emulator"),
      CommandExample(
        "rules-check exec --explain --coverage -- npm test",
        "also say why requests were denied, and what the tests cover"),
      CommandExample(
        "rules-check exec --record app.suite.json -- npm test",
        "write the requests as a suite, which needs no app"),
    ],
    "serve": [
      CommandExample("rules-check serve", "an emulator, until Ctrl-C", exits: nil),
      CommandExample(
        "rules-check serve --import export --record app.suite.json",
        "begin with exported documents, and make tests of requests in the browser", exits: nil),
    ],
    "simulate": [
      CommandExample("rules-check simulate get /users/alice --as alice", "may alice read this?"),
      CommandExample(
        "rules-check simulate update /users/alice --as mallory --before '{\"name\": \"Alice\"}' "
          + "--data '{\"name\": \"M.\"}'",
        "may mallory write it? No: DENY, exit code 1", exits: 1),
      CommandExample(
        "rules-check simulate list /posts --as alice --where 'author == \"alice\"'", "a query"),
    ],
    "prove": [
      CommandExample("rules-check prove", "the claims in the suites of the project"),
      CommandExample(
        "rules-check prove firestore.rules --path '/users/{uid}' --methods write "
          + "--only-if 'request.auth.uid == uid'",
        "only the owner can write a user's document"),
      CommandExample(
        "rules-check prove firestore.rules --path '/posts/{id}' --methods get "
          + "--only-if 'request.auth.uid == resource.data.author' --repair",
        "a claim that is violated, exit code 1, and changes that repair the rules", exits: 1),
    ],
    "verify-proof": [
      CommandExample(
        "rules-check prove --certificate claims.proof", "first write the proofs of all claims"),
      CommandExample(
        "rules-check verify-proof claims.proof --rules firestore.rules",
        "check them, without the prover"),
    ],
    "diff": [
      CommandExample("rules-check diff --base main", "what this branch allows and main does not"),
      CommandExample(
        "rules-check diff old.rules firestore.rules",
        "two files; here the newer one allows less, which is no failure"),
      CommandExample(
        "rules-check diff --base main --format markdown --output diff.md",
        "for a comment on a pull request"),
    ],
    "mutate": [
      CommandExample("rules-check mutate", "which changes of the rules no test notices"),
      CommandExample("rules-check mutate --write", "and add tests that do"),
      CommandExample("rules-check mutate --break 90", "fail below a score of 90 %"),
    ],
    "check": [
      CommandExample("rules-check check", "errors and likely mistakes in the rules of the project"),
      CommandExample("rules-check check --deep", "also prove which code has no effect"),
      CommandExample(
        "rules-check check --fail-on info --level any-user-read=off",
        "the least finding fails, except one kind"),
    ],
    "fmt": [
      CommandExample("rules-check fmt", "lay out the rules of the project"),
      CommandExample(
        "rules-check fmt --check .", "in CI: fail if a file here is laid out otherwise"),
    ],
    "lsp": [
      CommandExample("rules-check lsp", "what an editor starts (Docs/Editors.md)", exits: nil)
    ],
    "mcp": [
      CommandExample("rules-check mcp", "what an assistant starts (Docs/Assistants.md)", exits: nil)
    ],
    "audit": [
      CommandExample("rules-check audit", "who can do what, as tables"),
      CommandExample("rules-check audit --field name", "who can read and write one field"),
      CommandExample(
        "rules-check audit --format html --output audit.html", "the same as a page for a browser"),
    ],
    "eval": [
      CommandExample("rules-check eval \"'a' in {'a': 1}\"", "a value"),
      CommandExample(
        "rules-check eval \"'2024-01-15'.split('-')[0]\"", "try a method before using it"),
    ],
    "init": [
      CommandExample("rules-check init", "a first suite for the rules of the project"),
      CommandExample(
        "rules-check init --full --output full.suite.json",
        "every outcome of every condition, in another file"),
    ],
    "completions": [
      CommandExample(
        "rules-check completions fish --output rules-check.fish", "write the script to a file")
    ],
    "replay": [
      CommandExample("rules-check replay log.jsonl", "decide logged requests by today's rules"),
      CommandExample(
        "rules-check replay log.jsonl --against old.rules",
        "which of them other rules decide differently; exit code 1 if there are any", exits: 1),
    ],
    "schema": [
      CommandExample(
        "rules-check schema suite --output suite.schema.json", "the keys of suites, for an editor")
    ],
  ]
}
