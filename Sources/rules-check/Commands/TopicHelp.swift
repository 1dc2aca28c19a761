/// The pages of `help` about files that people write.
enum TopicHelp {
  /// The names of the pages.
  static let names = ["suites", "claims", "config"]

  /// The page of a name; nil if there is none.
  static func page(_ name: String) -> String? {
    switch name {
    case "suites": suites
    case "claims": claims
    case "config": configuration
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
    A claim is a sentence about all requests. It stands in the "claims" of a suite:

    \(claim.indented)

      "name"      what is shown
      "database"  the database, if it is not that of the suite
      "path"      the documents; its wildcards are names for the conditions below
      "methods"   get, list, create, update, delete, read, write, or a list of these; all by default
      "writes"    only requests that add, change or remove one of these fields
      "given"     only requests of which this condition is true
      one of
        "onlyIf"    whatever is allowed satisfies this condition
        "alwaysIf"  whatever satisfies this condition is allowed
        "never"     true: nothing in scope is allowed
        "errors"    false: no condition ends in an error
        "keeps"     no allowed write makes this condition over resource.data false
      "through"   "any" or a number: "onlyIf" holds after so many allowed requests of the same client, too
      "expect"    "proved" (the default), or "violated" for a known hole, or "undecided" or "vacuous"

    Conditions are expressions of the rules language and may call the functions of the rules. What comes
    out is PROVED, VIOLATED with a request that shows it, UNDECIDED with the construct that is in the way,
    or VACUOUS if no request is in scope. `rules-check test` decides claims, too; `rules-check prove` takes
    one from the command line: see rules-check help prove.

    """

  private static let configuration = """
    .rulescheck.json, here or in a folder above, says what a project has decided once:

      {
        "rules": ["firestore.rules"],
        "suites": ["tests/rules"],
        "levels": { "open-read": "off", "unknown-variable": "warning" },
        "failOn": "warning",
        "minCoverage": 80
      }

      "rules"        rules files and folders; by default those of firebase.json, else firestore.rules
      "suites"       suites and folders; by default ./rules, and what is beside the rules
      "levels"       how loud each code is: off, info, warning or error (see rules-check help codes)
      "database"     the database that the rules are deployed to, if not that of firebase.json
      "profile"      whose behaviour is followed: emulator (the default), testapi or strict
      "failOn"       the mildest finding that makes check exit with 1: error (the default), warning, info
                     or none
      "minCoverage"  the coverage in percent that test demands
      "$schema"      the schema that editors go by: see rules-check schema config

    Paths are relative to the file; comments and trailing commas are allowed.

    """
}

extension String {
  /// The text with each line two columns to the right.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(
      separator: "\n")
  }
}
