import RulesEval
import RulesLang
import RulesPage
import Testing

/// What a page asks and is answered, by the same code that becomes WebAssembly.
@Suite struct PageServiceTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function isOwner(uid) { return request.auth.uid == uid; }
        match /users/{uid} {
          allow read, write: if isOwner(uid);
          allow delete: if isOwner(uid);
        }
      }
    }
    """
  private static let suite = """
    { "documents": { "/users/alice": { "n": 1 } },
      "tests": [ { "as": "mallory", "get": "/users/alice", "expect": "deny" } ],
      "users": { "mallory": "mallory" },
      "claims": [ { "path": "/users/{u}", "onlyIf": "request.auth.uid == u" } ] }
    """

  private func text(_ members: [(String, JSONText)]) -> String {
    var service = PageService(clock: { 0 }, progress: { _, _ in })
    return service.answer(Array(JSONText.object(members).compact.utf8))
  }

  private func answer(_ task: PageTask, _ members: [(String, JSONText)] = []) throws -> JSON {
    let request: [(String, JSONText)] = [
      ("do", .string(task.rawValue)), ("rules", .string(Self.rules)),
      ("now", .number("1761037200000")),
    ]
    return try JSONParser.parse(SourceText(name: "answer", text(request + members)))
  }

  private func member(_ keys: [String], of json: JSON) -> JSON? {
    keys.reduce(json) { json, key in
      switch json?.kind {
      case .object(let members): members.first { String($0.key) == key }?.value
      case .array(let elements): Int(key).flatMap { $0 < elements.count ? elements[$0] : nil }
      default: nil
      }
    }
  }

  private func string(_ keys: [String], of json: JSON) -> String? {
    if case .string(let text) = member(keys, of: json)?.kind { String(text) } else { nil }
  }

  @Test func eachReportIsThatOfItsCommand() throws {
    for (task, schema) in [
      (PageTask.check, "check"), (.fix, "check"), (.test, "test"), (.prove, "prove"),
      (.audit, "audit"),
      (.diff, "diff"),
    ] {
      let found = try answer(
        task, [("suite", .string(Self.suite)), ("old", .string(Self.rules))])
      #expect(string(["report", "schema"], of: found) == "rules-check.\(schema)/1")
    }
  }

  @Test func requestsAreDecidedAndClaimsProved() throws {
    let tested = try answer(.test, [("suite", .string(Self.suite))])
    #expect(string(["report", "suites", "0", "tests", "0", "decision"], of: tested) == "deny")
    let proved = try answer(.prove, [("suite", .string(Self.suite))])
    #expect(string(["report", "suites", "0", "claims", "0", "verdict"], of: proved) == "proved")
    let picture = try answer(.picture, [("suite", .string(Self.suite))])
    #expect(string(["text"], of: picture)?.hasPrefix("DENY\n") == true)
  }

  /// The audit knows the time that the page tells: test mode is open as long as the clock allows it.
  @Test func theAuditKnowsThePresentTime() throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /d/{x} { allow update: if request.time < timestamp.date(2025, 12, 24); }
        }
      }
      """
    for (now, isOpen) in [("1761037200000", true), ("1861037200000", false)] {
      let found = text([
        ("do", .string("audit")), ("rules", .string(rules)), ("now", .number(now)),
      ])
      #expect(found.contains("as long as the clock allows it") == isOpen)
    }
  }

  @Test func whatDecidesNothingIsTakenOut() throws {
    let fixed = try answer(.fix)
    let text = try #require(string(["text"], of: fixed))
    #expect(!text.contains("allow delete"))
    #expect(text.contains("allow read, write"))
  }

  @Test func theOutlineHasBlocksAndFunctions() throws {
    let outline = try answer(.outline)
    #expect(string(["report", "matches", "1", "pattern"], of: outline) == "/users/{uid}")
    #expect(string(["report", "functions", "0", "name"], of: outline) == "isOwner")
  }

  @Test func layoutAndPagesAreText() throws {
    let text = try #require(string(["text"], of: try answer(.format)))
    #expect(text.contains("allow read, write: if isOwner(uid);\n"))
    let page = try answer(.explain, [("code", .string("open-write"))])
    #expect(string(["text"], of: page)?.contains("open-write") == true)
    #expect(string(["error"], of: try answer(.explain, [("code", .string("no-such"))])) != nil)
  }

  @Test func expressionsAreAnsweredInOrder() throws {
    let found = try answer(
      .eval, [("lines", .array([.string("1 + 1"), .string("1 / 0"), .string("(")]))])
    #expect(string(["report", "0", "value"], of: found) == "2")
    #expect(string(["report", "1", "error"], of: found) == "Divide by zero error.")
    #expect(string(["report", "2", "compileError"], of: found) != nil)
  }

  @Test func whatCannotBeUsedIsSaidWithItsPlace() throws {
    for task in [PageTask.check, .test, .prove, .audit, .diff, .picture, .fix] {
      let found = try answer(
        task, [("suite", .string("{ \"tests\": [ ] , \"nope\": 1 }")), ("old", .string("servce"))])
      let broken = text([("do", .string(task.rawValue)), ("rules", .string("servce x {"))])
      #expect(broken.contains("\"problems\""), "\(task)")
      #expect(broken.contains("\"line\":1"), "\(task)")
      if [.test, .prove, .picture].contains(task) {
        #expect(string(["problems", "files", "0", "rules"], of: found) == "suite")
      }
    }
  }

  @Test(arguments: [
    "", "{", "[]", "{}", "{\"do\": \"nothing\"}", "{\"do\": 1}", "\u{0}", "{\"do\": \"check\"}",
  ])
  func noRequestIsWithoutAnAnswer(_ request: String) throws {
    var service = PageService(clock: { 0 }, progress: { _, _ in })
    let text = service.answer(Array(request.utf8))
    let found = try JSONParser.parse(SourceText(name: "answer", text))
    #expect(string(["error"], of: found) != nil || member(["problems"], of: found) != nil)
  }

  @Test func longAnswersTellHowMuchIsDone() {
    for (task, total) in [(PageTask.test, 1), (.prove, 1), (.audit, 0)] {
      var told: [(done: Int, total: Int)] = []
      var service = PageService(clock: { 0 }, progress: { told.append(($0, $1)) })
      let request: [(String, JSONText)] = [
        ("do", .string(task.rawValue)), ("rules", .string(Self.rules)),
        ("suite", .string(Self.suite)),
      ]
      _ = service.answer(Array(JSONText.object(request).compact.utf8))
      #expect(!told.isEmpty && told.allSatisfy { $0.total == total }, "\(task)")
    }
  }
}
