import RulesLang

/// The JSON Schema of suites. Its keys come from the tables that `SuiteReader` uses.
public enum SuiteSchema {
  /// The whole schema.
  public static var json: JSONText {
    JSONSchema.document(
      id: "rules-check.suite/1", title: "A suite of rules-check: NAME.suite.json", suite,
      definitions: [
        ("item", item), ("group", group), ("test", test), ("sequence", sequence), ("step", step),
        ("write", write), ("user", user), ("asker", asker), ("documents", documents),
        ("data", data), ("query", query), ("condition", condition), ("claim", claim),
        ("methods", methods), ("time", time), ("path", path),
      ])
  }

  private static let asked =
    "The request's time, request.time; a test without one takes the suite's"

  private static var suite: JSONText {
    JSONSchema.object(
      "Scripted requests against one rules file, and claims about all requests.",
      keys: SuiteReader.suiteKeys,
      about: [
        ("rules", JSONSchema.type("string", "The rules file, relative to this file.")),
        (
          "database",
          JSONSchema.type(
            "string",
            "The database that receives the requests; by default the one that firebase.json deploys the "
              + "rules to, else (default).")
        ),
        ("description", JSONSchema.type("string", "The purpose of the suite.")),
        (
          "time",
          JSONSchema.reference("time", "The time of all requests that set none; by default now.")
        ),
        (
          "users",
          JSONSchema.dictionary(
            "Users by name, for \"as\".", of: JSONSchema.reference("user"))
        ),
        ("documents", JSONSchema.reference("documents", "The stored documents before each test.")),
        ("tests", JSONSchema.list("The tests, in order.", of: JSONSchema.reference("item"))),
        ("claims", JSONSchema.list("Claims, in order.", of: JSONSchema.reference("claim"))),
        ("$schema", JSONSchema.type("string", "The schema for editors.")),
      ])
  }

  /// The schema of a test, or a group of tests.
  private static var item: JSONText {
    func has(_ key: String) -> JSONText { .object([("required", JSONSchema.strings([key]))]) }
    return .object([
      ("if", has("tests")), ("then", JSONSchema.reference("group")),
      (
        "else",
        .object([
          ("if", has("steps")), ("then", JSONSchema.reference("sequence")),
          ("else", JSONSchema.reference("test")),
        ])
      ),
    ])
  }

  private static let ownDocuments =
    "More stored documents; they replace outer ones with the same path."

  private static var group: JSONText {
    JSONSchema.object(
      "Tests that share a client, a time or documents.", keys: SuiteReader.groupKeys,
      about: [
        ("group", JSONSchema.type("string", "The name of the group.")),
        ("description", JSONSchema.type("string", "The purpose of the group.")),
        ("as", JSONSchema.reference("asker", "The client of tests that name none.")),
        ("time", JSONSchema.reference("time", "The time of all requests that set none.")),
        ("documents", JSONSchema.reference("documents", ownDocuments)),
        ("tests", JSONSchema.list("The tests, in order.", of: JSONSchema.reference("item"))),
      ])
  }

  // MARK: Requests

  private static var test: JSONText {
    JSONSchema.object(
      "One request and the expected decision.", keys: SuiteReader.testKeys,
      required: ["expect"], about: request,
      and: [JSONSchema.exactlyOne(of: SuiteReader.operations)])
  }

  private static var step: JSONText {
    JSONSchema.object(
      "One request of several, on the documents as the steps before it left them.",
      keys: SuiteReader.stepKeys, required: ["expect"],
      about: request.map { $0.0 == "as" ? ("as", oneAsker) : $0 },
      and: [JSONSchema.exactlyOne(of: SuiteReader.operations)])
  }

  private static var request: [(String, JSONText)] {
    [
      (
        "name",
        JSONSchema.type("string", "The name to show; by default the request and its client.")
      ),
      ("as", JSONSchema.reference("asker")),
      ("time", JSONSchema.reference("time", asked)),
      ("documents", JSONSchema.reference("documents", ownDocuments)),
      ("get", JSONSchema.reference("path", "Reads a document.")),
      ("list", JSONSchema.type("string", "Queries a collection: its path.")),
      ("create", JSONSchema.reference("path", "Creates a document with \"data\".")),
      (
        "set",
        JSONSchema.reference(
          "path", "Writes a document with \"data\": a create, or an update if it exists.")
      ),
      (
        "update",
        JSONSchema.reference("path", "Changes the fields of \"data\"; keys may be dotted paths.")
      ),
      ("delete", JSONSchema.reference("path", "Deletes a document.")),
      (
        "batch",
        JSONSchema.list(
          "Writes that commit together.", of: JSONSchema.reference("write"), minimum: 1)
      ),
      ("data", JSONSchema.reference("data", "The data that is written.")),
      ("merge", merge), ("query", JSONSchema.reference("query")),
      (
        "collectionGroup",
        JSONSchema.type("boolean", "True to query all collections of that name.")
      ),
      ("expect", JSONSchema.word("The expected decision.", among: ["allow", "deny"])),
      (
        "line",
        JSONSchema.type(
          "integer", "The line of the statement that must decide; for a deny, that must be tried.")
      ),
      (
        "errors",
        JSONSchema.type("boolean", "True if a condition must end in an error, false if none may.")
      ),
    ]
  }

  private static var merge: JSONText {
    JSONSchema.either(
      "Which fields a \"set\" sets: all of the data, or these field paths.",
      [
        JSONSchema.type("boolean", "All of the data."),
        JSONSchema.list("Field paths.", of: JSONSchema.type("string", "A field path.")),
      ])
  }

  private static var sequence: JSONText {
    JSONSchema.object(
      "Requests one after the other: an allowed write changes what the next one finds.",
      keys: SuiteReader.sequenceKeys, required: ["steps"],
      about: [
        ("name", JSONSchema.type("string", "The name to show.")),
        (
          "time",
          JSONSchema.reference("time", "The time of the steps before one that sets its own.")
        ),
        (
          "documents",
          JSONSchema.reference("documents", "The stored documents before the first step.")
        ),
        (
          "steps",
          JSONSchema.list("The steps, in order.", of: JSONSchema.reference("step"), minimum: 1)
        ),
      ])
  }

  private static var write: JSONText {
    let keys = SuiteReader.writeVerbs + SuiteReader.writeCompanions
    return JSONSchema.object(
      "One write of a batch.", keys: keys, about: request.filter { keys.contains($0.0) },
      and: [JSONSchema.exactlyOne(of: SuiteReader.writeVerbs)])
  }

  // MARK: Parts

  private static var user: JSONText {
    JSONSchema.either(
      "A user: the uid alone, or with a token.",
      [
        JSONSchema.type("string", "The uid."),
        JSONSchema.object(
          "A user with a token.", keys: SuiteReader.userKeys, required: ["uid"],
          about: [
            ("uid", JSONSchema.type("string", "The uid.")),
            ("token", JSONSchema.reference("data", "The whole token.")),
          ]),
      ])
  }

  /// The schema of one entry of `as`: the name of a user, or a user; both can be strings or objects.
  private static var oneAsker: JSONText {
    JSONSchema.either(
      "The client: a name from \"users\", {\"uid\": …, \"token\": …}, or null for signed out.",
      [JSONSchema.reference("user"), JSONSchema.type("null", "Signed out.")])
  }

  private static var asker: JSONText {
    JSONSchema.either(
      "The client: a name from \"users\", {\"uid\": …, \"token\": …}, null for signed out, or "
        + "a list of these, one test for each.",
      [oneAsker, JSONSchema.list("One test for each.", of: oneAsker, minimum: 1)])
  }

  private static var documents: JSONText {
    JSONSchema.dictionary(
      "Stored documents by path: \"/users/alice\".", of: JSONSchema.reference("data"))
  }

  private static var data: JSONText {
    JSONSchema.type(
      "object",
      "Fields: JSON, and "
        + (SuiteReader.directives + WriteReader.sentinels).joined(separator: ", ")
        + " as the only key of an object.")
  }

  private static var time: JSONText {
    JSONSchema.type("string", "A time like \"2025-10-21T09:00:00Z\".")
  }

  private static var path: JSONText {
    JSONSchema.type("string", "A document path: an even number of segments, \"/users/alice\".")
  }
}
