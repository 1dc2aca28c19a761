import RulesLang
import Testing

@testable import RulesEval

/// A document that is created without an ID: what the official emulator's rules see of it.
@Suite struct DrawnIDTests {
  private static let me = "/databases/$(db)/documents/a/$(d)"

  /// Conditions at `/a/{d}` with what the official emulator makes of them; nil for an error.
  private static let conditions: [(condition: String, outcome: Bool?)] = [
    ("true", true), ("d != '2'", nil), ("d == '2'", nil), ("d is string", nil),
    ("request.path[3] == 'a'", true), ("request.path[4] != 'x'", nil),
    ("request.path == /databases/$(db)/documents/a", true), ("request.autoId == true", true),
    ("request.size() == 11", true), ("resource == null", true),
    ("request.resource.data.x == 1", true), ("'id' in request.resource", false),
    ("'__name__' in request.resource", false), ("request.resource.size() == 1", true),
    ("request.resource.id is string", true), ("request.resource.id == null", false),
    ("request.resource.__name__[3] == 'a'", true),
    ("request.resource.__name__ == request.path", false),
    ("exists(\(me))", nil), ("existsAfter(\(me))", nil), ("getAfter(\(me)).data.x == 1", nil),
    ("getAfter(request.path).data.x == 1", nil), ("exists(request.path)", nil),
    ("exists(request.resource.__name__)", false), ("existsAfter(request.resource.__name__)", true),
    ("existsAfter(/databases/$(db)/documents/b/1)", false),
  ]

  @Test(arguments: conditions)
  func aConditionSeesTheCollectionAlone(_ condition: String, _ outcome: Bool?) throws {
    let isTrue = try isAllowed("match /a/{d} { allow create: if \(condition); }")
    let isFalse = try isAllowed("match /a/{d} { allow create: if !(\(condition)); }")
    #expect(isTrue == (outcome == true), "\(condition)")
    #expect(isFalse == (outcome == false), "\(condition)")
  }

  @Test(arguments: [
    ("/a/{d=**}", "true", "1", true), ("/a/{d=**}", "true", "2", true),
    ("/a/{d=**}", "d is path", "1", false), ("/a/{d=**}", "d is path", "2", true),
    ("/a/{d=**}", "d[0] != 'z'", "2", false), ("/{c}/{d}", "c == 'a'", "1", true),
    ("/{c}/{d}", "d != 'z'", "2", false), ("/{p=**}/a/{d}", "p is path", "2", true),
    ("/a/{d}/s/{e}", "true", "2", false), ("/a/abc", "true", "2", false),
  ])
  func aPatternMeetsASegmentThatIsNotKnown(
    _ pattern: String, _ condition: String, _ version: String, _ outcome: Bool
  ) throws {
    let block = "match \(pattern) { allow write: if \(condition); }"
    #expect(try isAllowed(block, version: version) == outcome)
  }

  @Test func anIDThatItsClientChoseIsSeen() throws {
    #expect(try isAllowed("match /a/{d} { allow create: if d != '2'; }", isDrawn: false))
    #expect(try isAllowed("match /a/{d} { allow create: if !request.autoId; }", isDrawn: false))
  }

  @Test func whatIsLeftOfARequestWithoutItsDocumentIsNotDecided() throws {
    let checked = try Self.rules("match /a/{d} { allow create: if false; }", version: "2")
    let prepared = try PreparedRequest(
      Self.request(isDrawn: true), on: Documents(), in: checked.database)
    #expect(try Engine(checked).decide(prepared.without(Self.path)).isAllowed)
    #expect(try !Engine(checked).decide(prepared.only(Self.path)).isAllowed)
  }

  @Test func aSuiteHasNoWordsForIt() {
    func test(isDrawn: Bool) -> JSON? {
      SuiteWriter.sent(named: "", Self.request(isDrawn: isDrawn), on: Documents(), expect: .allow)
    }
    #expect(test(isDrawn: true) == nil)
    #expect(test(isDrawn: false) != nil)
  }

  private static let path = DocumentPath(["a", "drawn"])

  private static func request(isDrawn: Bool) -> Request {
    var write = Write(
      to: path, .set(MapValue([("x", .int(1))]), mask: nil), precondition: .missing)
    write.hasDrawnID = isDrawn
    return Request(principal: nil, time: .epoch, operation: .commit([write]))
  }

  private static func rules(_ blocks: String, version: String) throws -> Checked {
    let text = """
      rules_version = '\(version)';
      service cloud.firestore { match /databases/{db}/documents { \(blocks) } }
      """
    return try #require(Checker.check(SourceText(name: "x.rules", text)).checked)
  }

  /// The answer of reference and machine, which is the same.
  private func isAllowed(
    _ blocks: String, version: String = "2", isDrawn: Bool = true
  ) throws -> Bool {
    let checked = try Self.rules(blocks, version: version)
    let request = Self.request(isDrawn: isDrawn)
    let decision = try Engine(checked).decide(request, on: Documents())
    var machine = Machine(Program(checked))
    #expect(try machine.decide(request, on: Documents()).isAllowed == decision.isAllowed)
    #expect(
      try Engine(checked).decide(request, on: Documents(), tracing: true).isAllowed
        == decision.isAllowed)
    return decision.isAllowed
  }
}
