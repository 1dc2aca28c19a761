import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof

/// Requests that nobody can make are no counterexamples. Measured on the official emulator: it answers
/// 400 to such documents and paths before any rule is asked; a token is JSON.
@Suite struct ImpossibilityTests {
  private func reason(_ data: MapValue) -> Impossibility? {
    do throws(Impossibility) {
      try data.checkStorable()
      return nil
    } catch { return error }
  }

  private func nested(_ depth: Int, lists: Bool = false) -> Value {
    var value = Value.int(1)
    for level in 0..<depth {
      value = lists && level % 2 == 1 ? .list([value]) : .map(MapValue([("a", value)]))
    }
    return value
  }

  @Test func documents() {
    #expect(reason(MapValue([("l", .list([.list([.int(1)])]))])) == .listInList)
    #expect(reason(MapValue([("l", .list([.map(MapValue([("a", .list([]))]))]))])) == nil)
    for name: Text in ["", "__x__", "_____"] {
      #expect(reason(MapValue([(name, .int(1))])) == .fieldName(name))
      let inner = MapValue([("m", .map(MapValue([(name, .int(1))])))])
      #expect(reason(inner) == .fieldName(name))
    }
    for name: Text in ["__x", "____", "__", "x__", "a.b", " "] {
      #expect(reason(MapValue([(name, .int(1))])) == nil)
    }
    #expect(reason(MapValue([("z", nested(20))])) == nil)
    #expect(reason(MapValue([("z", nested(21))])) == .depth)
    #expect(reason(MapValue([("z", nested(20, lists: true))])) == nil)
    #expect(reason(MapValue([("z", nested(21, lists: true))])) == .depth)
    #expect(reason(MapValue([("z", .float(.nan))])) == nil)
    for vector: [Double] in [[], [.nan], [1, .nan], Array(repeating: 1, count: 2049)] {
      #expect(reason(MapValue([("z", .vector(vector))])) == .vector)
    }
    for vector: [Double] in [[.infinity], [-0.0], Array(repeating: 1, count: 2048)] {
      #expect(reason(MapValue([("z", .vector(vector))])) == nil)
      #expect(reason(MapValue([("m", .map(MapValue([("z", .vector(vector))])))])) == nil)
      #expect(reason(MapValue([("l", .list([.vector(vector)]))])) == .vector)
    }
    #expect(
      reason(MapValue([("z", .duration(Duration(1, in: .seconds) ?? .zero))]))
        == .notStored(.duration))
  }

  @Test func tokens() {
    func isPossible(_ value: Value) -> Bool {
      (try? MapValue([("x", value)]).checkClaims()) != nil
    }
    for value: Value in [
      .int(5), .float(0.1), .float(1e300), .null, .bool(true), .list([.list([.int(1)])]),
      .map(MapValue([("", .int(1)), ("__x__", .null)])), .int(.max),
    ] { #expect(isPossible(value)) }
    for value: Value in [
      .float(.nan), .float(.infinity), .float(5), .float(-0.0), .bytes([1]),
      .timestamp(.epoch), .list([.float(.nan)]), .map(MapValue([("a", .float(1))])),
    ] { #expect(!isPossible(value)) }
  }

  @Test func paths() {
    func isPossible(_ id: Text) -> Bool {
      (try? DocumentPath(["c", id]).checkIdentifiers()) != nil
    }
    for id: Text in [".", "..", "__x__", "", Text(String(repeating: "x", count: 1501))] {
      #expect(!isPossible(id))
    }
    for id: Text in [
      "...", "__x", "____", "a b", "\u{E9}", Text(String(repeating: "x", count: 1500)),
    ] {
      #expect(isPossible(id))
    }
    // Documents, not collections, may have a number for an ID.
    for id: Text in ["__id5__", "__id-5__", "__id9223372036854775807__"] {
      #expect(isPossible(id))
      #expect((try? DocumentPath([id, "x"]).checkIdentifiers()) == nil)
    }
    for id: Text in ["__id__", "__id0__", "__id05__", "__id+5__", "__id9223372036854775808__"] {
      #expect(!isPossible(id))
    }
  }

  /// A path that is put together of values may have any segments; a document has none of these.
  @Test func pathsOfDocuments() {
    func reason(_ segments: [Text]) -> Impossibility? {
      do throws(Impossibility) {
        try DocumentPath(segments).checkDocument()
        return nil
      } catch { return error }
    }
    #expect(reason(["c", "x"]) == nil)
    #expect(reason([]) == .pathLength(0))
    #expect(reason(["a", "x", "y"]) == .pathLength(3))
    #expect(reason(["a", "x/y"]) == .identifier("x/y"))
  }

  /// Claims that only an impossible request would refute.
  private static let only: [(String, String)] = [
    ("get", "request.auth.token.x != request.auth.token.x"),
    ("get", "resource.data.l[0] is list && resource.data.l is list"),
    ("create", "'' in request.resource.data"),
    ("create", "request.resource.data.m is map && '__x__' in request.resource.data.m"),
    ("get", "id == '.'"),
    ("get", "resource.data.l is list && resource.data.l[0] is vector"),
    ("get", "resource.data.s.matches('[\\\\x{d800}-\\\\x{dfff}]')"),
    ("get", "id == '__x__'"),
  ]

  /// What the prover says of the claim that nothing is allowed by a condition.
  private func verdict(_ method: String, _ condition: String) throws -> Verdict {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { match /c/{id} {
        allow \(method): if \(condition);
      } } }
      """
    let rules = try #require(Checker.check(SourceText(name: "r", text)).checked)
    let path = try #require(ClaimPath("/c/{id}"))
    let claim = Claim(
      name: "c", path: path, methods: [MethodSet(.get), MethodSet(.create)], obligation: .never)
    return Prover(try ClaimSet([claim], about: rules)).decide(0)
  }

  /// The emulator allows it: `__id5__` is the ID of a document.
  @Test func aNumberIsAnID() throws {
    guard case .violated = try verdict("get", "id == '__id5__'") else {
      Issue.record("a document can be called __id5__")
      return
    }
  }

  @Test(arguments: only)
  func isNotViolated(_ method: String, _ condition: String) throws {
    let verdict = try verdict(method, condition)
    if case .violated = verdict { Issue.record("\(condition) is violated") }
    if case .undecided(let openReasons) = verdict {
      // Whoever reads it learns why, and not that we contradict ourselves.
      #expect(
        openReasons.allSatisfy { $0.replay == nil }, "\(condition): \(openReasons.map(\.reason))")
    }
  }
}
