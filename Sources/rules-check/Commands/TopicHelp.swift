/// The pages of `help` about files that users write, and about subjects of several commands.
enum TopicHelp {
  /// The names of the pages.
  static let names = [
    "suites", "claims", "config", "coverage", "databases", "emulator", "exit-codes",
  ]

  /// Returns the page with a name; nil if there is none.
  static func page(_ name: String) -> String? {
    switch name {
    case "suites": suites
    case "claims": claims
    case "config": configuration
    case "coverage": coverage
    case "databases": databases
    case "emulator": emulator
    case "exit-codes": exitCodes
    default: nil
    }
  }

  /// The example in the page about suites.
  static let suite = """
    {
      "rules": "firestore.rules",
      "users": {
        "alice": { "uid": "alice", "token": { "email_verified": true } },
        "mallory": "mallory"
      },
      "documents": { "/users/alice": { "name": "Alice" } },
      "tests": [
        { "name": "the owner changes her name",
          "as": "alice", "update": "/users/alice", "data": { "name": "A." }, "expect": "allow" },
        { "name": "nobody else does",
          "as": ["mallory", null], "update": "/users/alice", "data": { "name": "M." }, "expect": "deny" },
        { "group": "posts", "as": "alice", "tests": [
          { "list": "/posts", "query": { "where": [["author", "==", "alice"]], "limit": 10 },
            "expect": "allow" }
        ] },
        { "name": "first she joins, then she reads", "steps": [
          { "as": "alice", "create": "/members/alice", "data": {}, "expect": "allow" },
          { "as": "alice", "get": "/rooms/1", "expect": "allow" }
        ] }
      ]
    }
    """

  /// The example in the page about claims.
  static let claim = """
    { "name": "only the owner can write fcmToken",
      "path": "/users/{uid}", "methods": "write", "writes": ["fcmToken"],
      "onlyIf": "request.auth != null && request.auth.uid == uid" }
    """

  private static let suites = """
    A suite is a file NAME.suite.json: JSON, in which comments and trailing commas are allowed.

    \(suite.indented)

    of a suite: "rules" (relative to the suite), "database" (by default that of firebase.json, else
    "(default)"), "description", "time", "users", "documents" (stored before each test; tests do not affect
    each other), "tests", "claims" (see help claims), "$schema".

    of a group: "group" (its name), "description", "as", "time", "documents", "tests".

    of a test
      "name"       what is shown
      "as"         a name from "users", {"uid": …, "token": {…}}, null for signed out, or a list of these,
                   which makes a test of each
      one of       "get", "list", "create", "set", "update", "delete" with a path, or "batch" with a list
                   of writes that commit together
      "data"       what is written; for set also "merge": true or a list of fields
      "query"      for list: {"where": [[field, op, value]], "orderBy": [[field, "desc"]], "limit": 10,
                   "offset": 0}, and "collectionGroup": true
      "documents"  what is stored for this test, over what is stored outside
      "time"       request.time, in RFC 3339
      "expect"     "allow" or "deny"; "line" of the statement that must decide, "errors": false if none
                   may end in an error
      "steps"      a list of requests, each on the documents that those before it left

    values beyond JSON: {"$timestamp": "2025-10-21T09:00:00Z"}, {"$bytes": base64}, {"$latlng": [a, b]},
    {"$ref": "/users/alice"}, {"$float": 1}, {"$int": "1"}, {"$vector": [1.5]}, {"$map": {…}}; in data
    also {"$serverTimestamp": true}, {"$delete": true}, {"$increment": 1}, {"$arrayUnion": […]},
    {"$arrayRemove": […]}.

    `rules-check init` writes a first suite; `rules-check schema suite` prints a JSON Schema, by which
    editors complete the keys.

    """

  private static let claims = """
    A claim is a sentence about all requests. It belongs in the "claims" of a suite:

    \(claim.indented)

      "name"      what is shown
      "database"  the database, if it is not that of the suite
      "path"      the documents; its wildcards are names for the conditions below
      "methods"   get, list, create, update, delete, read, write, or a list of these; all by default
      "writes"    only requests that add, change or remove one of these fields
      "given"     only requests for which this condition is true
      one of
        "onlyIf"    every allowed request satisfies this condition
        "alwaysIf"  every request that satisfies this condition is allowed
        "never"     true: nothing in scope is allowed
        "errors"    false: no condition ends in an error
        "keeps"     no allowed write makes this condition over resource.data false
      "through"   "any" or a number: "onlyIf" also holds after this many allowed requests of the same client
      "expect"    "proved" (the default), or "violated" for a known hole, or "undecided" or "vacuous"

    Conditions are expressions of the rules language and may call the functions of the rules. A claim is
    PROVED, VIOLATED with a request that breaks it, UNDECIDED with the expression that prevents an answer,
    or VACUOUS if no request is in scope. `rules-check test` decides claims, too; `rules-check prove` takes
    one from the command line (see rules-check help prove).

    """

  private static let configuration = """
    .rulescheck.json, here or in a folder above, holds the settings of a project:

      {
        "rules": ["firestore.rules"],
        "suites": ["tests/rules"],
        "levels": { "open-read": "off", "unknown-variable": "warning" },
        "failOn": "warning",
        "minCoverage": 80
      }

      "rules"        rules files and folders; by default those of firebase.json, else firestore.rules
      "suites"       suites and folders; by default ./rules, and what is beside the rules
      "levels"       the level of each code: off, info, warning or error (see rules-check help codes)
      "database"     the database that the rules are deployed to, if not that of firebase.json
      "profile"      the behaviour to follow: emulator (the default), testapi or strict
      "failOn"       the mildest finding that makes check exit with 1: error (the default), warning, info
                     or none
      "minCoverage"  the coverage in percent that test requires
      "$schema"      the schema for editors: see rules-check schema config

    Paths are relative to the file; comments and trailing commas are allowed.

    """

  private static let coverage = """
    Coverage counts outcomes, not lines. Was each statement reached? Did each condition both grant and
    deny? Was each sub-condition both true and false? Did every other part ever have a value?
    A function such as signedIn() has its outcomes once, however many statements call it.

      rules-check test --coverage              the total of each rules file, and what no test reached
      rules-check test --min-coverage 80       exit code 1 below 80 % of all outcomes together
      rules-check exec --coverage -- npm test  the same for the requests that the tests of an SDK make
      --format html                            a page with the values of every part and the tests behind them
      --format lcov                            a trace file for other tools
      --format rule-coverage                   the report of the official emulator (test only)

    If firebase.json deploys rules that no suite tests, they count as 0 %, and --min-coverage fails whatever
    the total. "minCoverage" in .rulescheck.json sets the threshold once. Coverage does not say whether a
    test would notice a change of the rules: rules-check mutate does.

    """

  private static let databases = """
    Rules are decided for the database that they are deployed to, which is the first of these:

      --database NAME
      "database" in the suite or the claim
      "database" in .rulescheck.json
      the database that firebase.json names for the rules file
      (default)

    In firebase.json "firestore" is one object, or a list with one object per database:

      { "firestore": [
        { "database": "(default)", "rules": "firestore.rules" },
        { "database": "logs", "rules": "logs.rules" }
      ] }

    A "target" is looked up in .firebaserc. If rules are deployed to several databases and read the name of
    the database, test, prove, check, audit, diff and mutate decide them for each; simulate, init and replay
    need --database. The finding foreign-database reports rules that match no document of their database.

    """

  private static let emulator = """
    Tests that use a Firestore SDK or @firebase/rules-unit-testing run unchanged and without Java:

      rules-check exec -- npm test     starts an emulator, runs the command, ends with its exit code
      rules-check serve                an emulator on port 8080, until you interrupt it

    The command finds the emulator by FIRESTORE_EMULATOR_HOST, as it finds the one of Firebase. After the
    command, exec can report coverage (--coverage), why requests were denied (--explain), and which changes
    of the rules the tests would not notice (--mutate). --record FILE.suite.json writes the requests as a
    suite. While serve runs, http://localhost:8080/ shows the requests as they come.

    The emulator listens on this machine only. Anyone who reaches its port can become administrator with
    `Bearer owner`, as with the official emulator; serve --host HOST opens it to others.

    `rules-check test --emulator HOST:PORT` works the other way round: it sends the requests of suites to a
    running official emulator and reports every disagreement.

    Auth, Storage, Realtime Database and Functions are not included.

    """

  private static let exitCodes = """
    0   everything holds
    1   it ran, and something does not hold: a test failed, a claim is violated, access was loosened,
        a finding is an error, simulate says DENY
    2   it could not run: an unknown option, a file that cannot be read, rules that do not compile,
        a malformed suite, nothing to test (--allow-empty permits this)
    4   undecided: no failure is known, but something could not be decided; 1 wins over 4
    70  a defect of rules-check itself

    exec exits with the exit code of its command, or with 128 plus the signal's number if a signal ended it.
    If the command succeeds and a gate such as --min-coverage does not hold, it exits with 1.

    """
}

extension String {
  /// The text with each line indented by two columns.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(
      separator: "\n")
  }
}
