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

  /// Each edit takes out the finding that it stands at, and nothing else.
  @Test func aRemovalBelongsToOneFinding() throws {
    let found = try answer(.check, [("deep", .bool(true))])
    #expect(string(["removals", "0", "code"], of: found) == "covered-allow")
    #expect(member(["removals", "1"], of: found) == nil)
    guard
      case .number(let start) = member(["removals", "0", "edits", "0", "offset"], of: found)?.kind,
      case .number(let end) = member(["removals", "0", "edits", "0", "endOffset"], of: found)?.kind,
      let (start, end) = Int(start).flatMap({ start in Int(end).map { (start, $0) } })
    else {
      Issue.record("no edit")
      return
    }
    var text = Array(Self.rules)
    let replacement = try #require(string(["removals", "0", "edits", "0", "text"], of: found))
    text.replaceSubrange(start..<end, with: Array(replacement))
    let expected = Self.rules.split(separator: "\n").filter { !$0.contains("allow delete") }
    #expect(String(text).split(separator: "\n") == expected)
    #expect(member(["removals"], of: try answer(.check)) == nil)
  }

  @Test func aPictureFitsAndIsPainted() throws {
    let plain = try #require(
      string(["text"], of: answer(.picture, [("suite", .string(Self.suite))])))
    #expect(!plain.contains("\u{1B}"))
    for columns in [40, 60, 120] {
      let members: [(String, JSONText)] = [
        ("suite", .string(Self.suite)), ("columns", .int(columns)),
      ]
      let text = try #require(string(["text"], of: answer(.picture, members)))
      #expect(text.contains("\u{1B}[1;31mfalse"))
      let picture = text.split(separator: "\n").filter { $0.contains("|\u{1B}") }
      #expect(!picture.isEmpty)
      for line in picture {
        let pieces = line.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        let shown = pieces.dropFirst().reduce(pieces[0].count) {
          $0 + $1.drop { $0 != "m" }.count - 1
        }
        #expect(shown <= columns, "\(line)")
      }
    }
  }

  @Test func anAuditOfAFieldSaysWhoCanWriteIt() throws {
    let found = try answer(.audit, [("field", .string("n"))])
    #expect(string(["report", "field"], of: found) == "n")
    let operations = (0..<40).compactMap {
      string(["report", "paths", "0", "answers", "\($0)", "operation"], of: found)
    }
    #expect(operations.contains("update n"))
    #expect(!operations.contains("update any field"))
    #expect(
      string(["writers", "0"], of: found)
        == "`/users/{uid}`: `n` can be written by owner {uid} (always), and by nobody else")
    #expect(string(["legend", "1", "0"], of: found) == "anyoneIf")
    #expect(string(["legend", "1", "1"], of: found) == "anyone-if")
    #expect(string(["legend", "1", "2"], of: found) == "anyone on a condition")
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
