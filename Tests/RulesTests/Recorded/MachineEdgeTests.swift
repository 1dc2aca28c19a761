import Foundation
import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Where the machine leaves plain data, or leaves a condition to the reference.
@Suite struct MachineEdgeTests {
  private func agreement(_ conditions: [String], functions: String = "") throws -> Agreement {
    let statements = conditions.map { "allow update: if \($0);\n" }.joined()
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        \(functions)
        match /t/{id} { \(statements) }
      } }
      """
    let outcome = Checker.check(SourceText(name: "edge.rules", text))
    return Agreement(
      try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })"))
  }

  private func update(_ before: MapValue, _ after: MapValue) -> (Request, Documents) {
    let path = DocumentPath(["t", "a"])
    let write = Write(to: path, .set(after, mask: nil), precondition: .exists)
    return (
      Request(principal: Principal(uid: "u"), time: .epoch, operation: .commit([write])),
      Documents([(path, before), (DocumentPath(["t", "b"]), after)])
    )
  }

  private static let maps: [MapValue] = {
    let nested = MapValue([("k", .int(1)), ("l", .list([.float(1), .null, .bool(true)]))])
    let numbered = (0..<100).map { (Text("f\($0)"), Value.int(Int64($0))) }
    return [
      MapValue(), MapValue([("a", .int(1)), ("b", .string("x")), ("m", .map(nested))]),
      MapValue([("b", .string("x")), ("m", .map(nested)), ("a", .float(1))]),
      MapValue([("a", .float(.nan)), ("t", .timestamp(.epoch)), ("by", .bytes([1]))]),
      MapValue([("a", .float(.nan)), ("t", .timestamp(.epoch)), ("by", .bytes([2]))]),
      MapValue([("m", .map(MapValue(numbered))), ("a", .null)]), MapValue(numbered),
      MapValue(numbered.reversed()), MapValue(Array(numbered.dropFirst(7))),
      // Each large one is near the others or not: some keys are missing, stand elsewhere, are of its own.
      MapValue(numbered.enumerated().filter { $0.offset % 11 != 5 }.map { $0.element }),
      MapValue(numbered.enumerated().filter { $0.offset % 3 != 1 }.map { $0.element }),
      MapValue([("a", .int(1))] + numbered + [("m", .map(nested)), ("z", .null)]),
      MapValue(numbered.map { ($0.0, $0.0 == "f3" ? .float(3.5) : $0.1) } + [("m", .int(1))]),
    ]
  }()

  @Test func documentsOfEveryShapeCompareAlike() throws {
    let diff = "request.resource.data.diff(resource.data)"
    var agreement = try agreement([
      "request.resource.data == resource.data && false",
      "request.resource.data.m == resource.data.m && false",
      "\(diff).affectedKeys().hasOnly(['a', 'f3']) && false",
      "\(diff).affectedKeys().hasAny(['a', 'f3']) && false",
      "\(diff).affectedKeys().hasAll(['a', 'f3']) && false",
      "\(diff).addedKeys().size() == 7", "\(diff).unchangedKeys() == ['a', 'b'].toSet()",
      "'a' in \(diff).removedKeys()", "\(diff).changedKeys().hasOnly(['a', 1])",
      "'f3' in \(diff).changedKeys() && false", "'f5' in \(diff).addedKeys() && false",
      "\(diff).affectedKeys().hasAny(['f5']) && false",
      "\(diff).removedKeys().hasAny([1, 'f1', 'f5', null]) && false",
      "\(diff).unchangedKeys().hasAny(['f0', 'f1', 'f2', 'f3', 'f4', 'f5']) && false",
      "\(diff).affectedKeys().hasAny([]) && false",
      "resource.data.get(['m', 'k'], 0) == 1 && false",
      "resource.data.get(['m', 'f9'], 'x') == 'x' && false",
      "request.resource.data.get(['a', 'b', 'c'], {}).size() == 0 && false",
      "resource.data.get([], 1).size() == 3 && false", "resource.data.get(['m', 1], 1) == 1",
      "resource.data.get(['m'], 1 / 0) == 1",
      "request.resource.get(['data', 'a'], 2) == 1 && false",
      "\(diff) == \(diff) || \(diff) is map_diff && false",
      "[\(diff).affectedKeys(), resource.data.keys()] == [[].toSet(), []]",
      "request.resource.data.keys().hasOnly(['a', 'b', 'm'])",
      "request.resource.data.keys().hasAll(['a', 'b', 2])", "resource.data.keys().hasAny(['f9'])",
      "resource.data.keys() == request.resource.data.keys() && false",
      "resource.data.keys()[0] == 'f0'", "'f99' in resource.data && false",
      "resource.data.get('a', 2) == 1 && false", "resource.data.get(['m', 'k'], 2) == 1 && false",
      "resource.data.m.size() + resource.data.size() == 5", "resource.data.a in [1, 2.0, null]",
      "{'a': resource.data.a} == {'a': 1}", "[resource.data.a] == [1]",
      "resource.data.b.size() == 1 && resource.data.b < 'y' && resource.data.b[0] == 'y'",
    ])
    #expect(agreement.unlowered == 0)
    // In debug each map is compared with itself, and with every third one beside it.
    let step = Wanted.cases(3, of: 1)
    for (index, before) in Self.maps.enumerated() {
      for offset in stride(from: 0, to: Self.maps.count, by: step) {
        let after = Self.maps[(index + offset) % Self.maps.count]
        let (request, documents) = update(before, after)
        let disagreement = agreement.disagreement(request, on: documents)
        #expect(disagreement == nil, "\(disagreement ?? "")")
      }
    }
  }

  @Test func theBudgetRunsOutAtTheSameExpression() throws {
    // Each condition costs about 300; the fourth is cut short, and the fifth is not begun.
    let long = (0..<60).map { "x\($0) == \($0)" }.joined(separator: " || ")
    var agreement = try agreement(
      Array(repeating: "f(id)", count: 5),
      functions: "function f(id) { return [1].hasAny([\(long.isEmpty ? "1" : "2")]) "
        + "|| \(Array(repeating: "id == 'b'", count: 70).joined(separator: " || ")); }")
    #expect(agreement.unlowered == 0)
    let (request, documents) = update(MapValue(), MapValue())
    let disagreement = agreement.disagreement(request, on: documents)
    #expect(disagreement == nil, "\(disagreement ?? "")")
    #expect(agreement.expressions(request, on: documents) == Limits.expressions)
  }

  @Test func callsThatMultiplyAreLeftToTheReference() throws {
    var functions = "function f0(x) { return x == 'a'; }\n"
    for level in 1..<18 {
      functions += "function f\(level)(x) { return f\(level - 1)(x) || f\(level - 1)(x); }\n"
    }
    var agreement = try agreement(["id == 'z'", "f17(id)"], functions: functions)
    #expect(agreement.unlowered == 1)
    let (request, documents) = update(MapValue(), MapValue())
    let disagreement = agreement.disagreement(request, on: documents)
    #expect(disagreement == nil, "\(disagreement ?? "")")
  }

  @Test func withoutMarksTheReferenceTraces() throws {
    let (_, rules) = try Scripted.decide(
      "match /t/{id} { allow update: if id == 'a' || 1 / 0 == 1; }", "\"get\": \"/t/a\"")
    let (request, documents) = update(MapValue(), MapValue())
    let expected = try Engine(rules).decide(request, on: documents, tracing: true)
    var machine = Machine(Program(rules))
    let actual = try machine.decide(request, on: documents, tracing: true)
    #expect(actual.tried.map { $0.trace?.events.count } == [4])
    #expect(Agreement.traceDifference(expected, actual) == nil)
  }

  @Test func testsWithMocksAreTracedAlike() throws {
    let file = Golden.folder("cli").appendingPathComponent("test-google-format-mocks.case")
    let recorded = CommandLineCase(try String(contentsOf: file, encoding: .utf8))
    func source(_ name: String) throws -> SourceText {
      SourceText(name: name, try #require(recorded.input(name)))
    }
    let cases = try #require(RulesTestFile.read(try source("cases.json")).0)
    let checked = try #require(Checker.check(try source("r.rules"), profile: .testapi).checked)
    let engine = Engine(checked, profile: .testapi)
    var machine = Machine(Program(checked, isMarked: true), profile: .testapi)
    for test in cases.tests {
      let one = engine.run(test, documents: Documents(), now: .epoch, tracing: true)
      let two = machine.run(test, documents: Documents(), now: .epoch, tracing: true)
      let (expected, actual) = (try #require(one.decision), try #require(two.decision))
      #expect(!expected.tried.isEmpty && expected.tried.count == actual.tried.count)
      #expect(expected.isAllowed == actual.isAllowed && one.failures == two.failures)
      #expect(Agreement.traceDifference(expected, actual) == nil)
    }
    #expect(cases.tests.count > 1)
  }

  @Test func lookupsCountAlike() throws {
    let path = "/databases/(default)/documents/t"
    let many = (0..<12).map { "exists(\(path)/\($0))" }.joined(separator: " || ")
    var agreement = try agreement([
      "get(\(path)/b).data.a == 7 || get(\(path)/b).data.a == 8", "exists(\(path)/b) && false",
      "(\(many)) && false", "get(\(path)/zz).data.a == 1", "getAfter(\(path)/a).data.a == 9",
      "get(1 / 0) == 1 || exists(\(path))", "existsAfter(\(path)/a) ? 1 : 2", "get(\(path)/b)",
      "exists(\(path)/b, 1)",
    ])
    for after in Self.maps {
      let (request, documents) = update(MapValue([("a", .int(1))]), after)
      let disagreement = agreement.disagreement(request, on: documents)
      #expect(disagreement == nil, "\(disagreement ?? "")")
    }
  }
}
