import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Suites as the body of Google's test call: what is written is read back, and decided alike.
@Suite struct RulesTestWriterTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function user() {
          return get(/databases/$(database)/documents/users/$(request.auth.uid)).data;
        }
        match /posts/{post} {
          allow read: if resource.data.public || user().role == 'admin';
          allow create: if exists(/databases/$(database)/documents/users/$(request.auth.uid))
            && request.resource.data.at == request.time && request.resource.data.n is int;
          allow update: if getAfter(/databases/$(database)/documents/users/$(request.auth.uid))
            .data.count == user().count + 1;
          allow delete: if request.auth.token.admin == true && resource.data.tags.hasAll(['a']);
        }
        match /users/{user} {
          allow write: if request.auth.uid == user;
        }
      }
    }
    """
  private static let now = Timestamp.epoch

  /// What was written of the tests of a suite, and what the reader makes of it.
  private func written(
    _ tests: String
  ) throws -> (cases: RulesTestWriter.Cases, read: [RulesEval.Test]) {
    let engine = try engine(.emulator)
    let suite = SourceText(
      name: "a",
      """
      { "time": "2026-03-01T10:00:00Z",
        "documents": {
          "/users/alice": { "role": "admin", "count": 1 },
          "/posts/p": { "public": false, "tags": ["a", "b"] } },
        "tests": [ \(tests) ] }
      """)
    let (read, problems) = SuiteReader.read(suite)
    let loaded = try #require(read, "\(problems.map(\.message))")
    let writer = try #require(RulesTestWriter(engine))
    let cases = writer.write(loaded.tests, on: loaded.documents, now: Self.now)
    let body = RulesTestWriter.body(
      of: engine.rules.ruleset.source, named: "a.rules", cases.cases)
    let file = try #require(RulesTestFile.read(SourceText(name: "b", body.pretty)).file)
    #expect(file.rules?.bytes == engine.rules.ruleset.source.bytes)
    return (cases, file.tests)
  }

  private func engine(_ profile: Profile) throws -> Engine {
    let source = SourceText(name: "a.rules", Self.rules)
    return Engine(
      try #require(Checker.checkFirestore(source, profile: profile).checked), profile: profile)
  }

  /// Each test comes out as it expects, so each case does, too.
  @Test(arguments: [
    #"{ "as": {"uid":"alice"}, "get": "/posts/p", "expect": "allow" }"#,
    #"{ "as": {"uid":"bob"}, "get": "/posts/p", "expect": "deny" }"#,
    #"{ "as": null, "get": "/posts/p", "expect": "deny" }"#,
    #"{ "as": {"uid":"alice"}, "create": "/posts/q", "data": {"at": {"$serverTimestamp": true}, "n": 1}, "expect": "allow" }"#,
    #"{ "as": {"uid":"bob"}, "create": "/posts/q", "data": {"at": {"$serverTimestamp": true}, "n": 1}, "expect": "deny" }"#,
    #"{ "as": {"uid":"alice","token":{"admin":true}}, "delete": "/posts/p", "expect": "allow" }"#,
    #"{ "as": {"uid":"alice"}, "delete": "/posts/p", "expect": "deny" }"#,
    #"{ "as": {"uid":"alice"}, "batch": [ { "update": "/posts/p", "data": {"n": 2.5} }, { "update": "/users/alice", "data": {"count": 2} } ], "expect": "allow" }"#,
    #"{ "as": {"uid":"alice"}, "batch": [ { "update": "/users/alice", "data": {"count": 9} }, { "update": "/posts/p", "data": {"n": 2.5} } ], "expect": "deny" }"#,
    #"{ "name": "s", "steps": [ { "as": {"uid":"bob"}, "set": "/users/bob", "data": {"role": "admin"}, "expect": "allow" }, { "as": {"uid":"bob"}, "get": "/posts/p", "expect": "allow" } ] }"#,
  ])
  func aCaseComesOutAsTheTestDoes(_ test: String) throws {
    let (cases, read) = try written(test)
    #expect(cases.omissions.isEmpty)
    #expect(!read.isEmpty && read.count == cases.cases.count)
    let referee = try engine(.testapi)
    for one in read {
      let result = referee.run(one, documents: Documents(), now: Self.now)
      #expect(result.isPassed, "\(result.failures)")
    }
  }

  /// A test that the rules fail is written as it is, and fails there, too.
  @Test func aTestThatFailsFailsAgain() throws {
    let (cases, read) = try written(#"{ "as": null, "get": "/posts/p", "expect": "allow" }"#)
    #expect(cases.omissions.isEmpty)
    let result = try engine(.testapi).run(read[0], documents: Documents(), now: Self.now)
    #expect(!result.isPassed && result.decision != nil)
  }

  /// What such a call has supplied is written again as it was, with what only the call knows.
  @Test func aCaseOfTheCallIsWrittenAgain() throws {
    let body = """
      { "testSuite": { "testCases": [
        { "expectation": "ALLOW",
          "request": { "method": "get", "path": "/databases/%28default%29/documents/posts/p",
            "auth": { "uid": "alice" }, "params": { "a": 1 }, "headers": { "h": "x" } },
          "resource": { "data": { "public": false } },
          "functionMocks": [ { "function": "get", "args": [ { "anyValue": {} } ],
            "result": { "value": { "data": { "role": "admin" } } } } ] } ] } }
      """
    let tests = try #require(RulesTestFile.read(SourceText(name: "a", body)).file).tests
    let engine = try engine(.testapi)
    let writer = try #require(RulesTestWriter(engine))
    let written = writer.write(tests, on: Documents(), now: Self.now)
    #expect(written.omissions.isEmpty && written.cases.count == 1)
    let text = written.cases[0].compact
    for part in ["\"params\":{\"a\":1}", "\"headers\":{\"h\":\"x\"}", "\"anyValue\":{}"] {
      #expect(text.contains(part), "\(text)")
    }
    let again = RulesTestWriter.body(
      of: engine.rules.ruleset.source, named: "a.rules", written.cases)
    let read = try #require(RulesTestFile.read(SourceText(name: "b", again.pretty)).file).tests
    #expect(engine.run(read[0], documents: Documents(), now: Self.now).isPassed)
  }

  @Test(arguments: [
    (
      #"{ "as": {"uid":"a"}, "list": "/posts", "expect": "deny" }"#,
      "the call cannot express queries"
    ),
    (
      #"{ "as": {"uid":"a"}, "set": "/users/a", "data": {"x": 2.0}, "expect": "allow" }"#,
      "the call would read the float 2.0 differently, in request.resource.data.x"
    ),
    (
      #"{ "as": {"uid":"a"}, "set": "/users/a", "data": {"x": "2026-01-01T00:00:00Z"}, "expect": "allow" }"#,
      "the call would read the text \"2026-01-01T00:00:00Z\" as a time, in request.resource.data.x"
    ),
    (
      #"{ "as": {"uid":"a"}, "set": "/users/a", "data": {"x": {"$bytes": "AA=="}}, "expect": "allow" }"#,
      "JSON has no form for a value of type bytes, in request.resource.data.x"
    ),
    (
      #"{ "as": {"uid":"a"}, "set": "/users/a", "data": {"x": {"$int": "9007199254740993"}}, "expect": "allow" }"#,
      "JSON's numbers are not exact at 9007199254740993, in request.resource.data.x"
    ),
  ])
  func whatCannotBeSaidIsLeftOutWithItsReason(_ test: String, reason: String) throws {
    let (cases, read) = try written(test)
    #expect(cases.cases.isEmpty && read.isEmpty)
    #expect(cases.omissions.count == 1)
    #expect(cases.omissions.first?.hasSuffix(": " + reason) == true, "\(cases.omissions)")
  }
}
