import RulesHost

extension WrongTurns {
  /// Corrections for commands and options of other linters, test runners and the Firebase CLI.
  static let ofOtherPrograms = WrongTurns(
    commands: [
      "lint": "`rules-check check` reports errors and likely mistakes",
      "validate": "`rules-check check` reports errors and likely mistakes",
      "compile": "`rules-check check` reports errors and likely mistakes",
      "format": "`rules-check fmt` lays out rules files",
      "coverage": "`rules-check test --coverage` says what the tests cover",
      "watch":
        "`rules-check test --watch` and `rules-check check --watch` run again when a file changes",
      "version": "`rules-check --version`",
      "-v": "`rules-check --version`",
      "run": "`rules-check test` runs suites, `rules-check exec -- COMMAND` the tests of an SDK",
      "start": "`rules-check serve` starts a Firestore emulator",
      "emulator":
        "`rules-check serve` starts a Firestore emulator; see also `rules-check help emulator`",
      "emulators":
        "`rules-check serve` starts a Firestore emulator; see also `rules-check help emulator`",
      "emulators:start": "`rules-check serve` starts a Firestore emulator",
      "emulators:exec": "`rules-check exec -- COMMAND` runs tests with an emulator of their own",
      "explain": "`rules-check help CODE` explains a finding, `rules-check simulate` a decision",
      "deploy": "rules-check deploys nothing; `firebase deploy --only firestore:rules` does",
      "import":
        "`rules-check exec --record FILE.suite.json -- COMMAND` makes a suite of the tests of an SDK",
      "record":
        "`rules-check exec --record FILE.suite.json -- COMMAND` makes a suite of the tests of an SDK",
      "ci":
        "see Docs/CI.md: `rules-check test`, `rules-check check` and `rules-check diff --base REV`",
    ],
    options: [
      "simulate": [
        "--uid": "`--as UID` sets the user", "--user": "`--as UID` sets the user",
        "--resource": "`--before JSON` is the stored document",
        "--query": "`--where CONDITION`, `--order-by FIELD` and `--limit COUNT` make the query",
        "--token": "`--auth JSON` has uid and token, `--claim KEY=VALUE` one claim",
      ],
      "prove": [
        "--claim": "`--only-if CONDITION`, `--always-if CONDITION` and `--never` make a claim",
        "--field": "`--writes FIELDS` takes only requests that change these fields",
        "--fields": "`--writes FIELDS` takes only requests that change these fields",
      ],
      "audit": [
        "--path": "an audit has all paths; `--field NAME` shows who can read and write one field"
      ],
      "init": ["--suite": "the suite is written beside the rules, and named like them"],
      "": ["--json": "`--format json`"],
    ],
    files: [
      (".suite.json", "test"), (".rules", "check"), ("firebase.json", "check"),
    ])
}
