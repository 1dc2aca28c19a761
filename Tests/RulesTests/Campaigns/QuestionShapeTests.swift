import Foundation
import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting
@testable import RulesVerify

/// Values of every shape with every operator and method, on one request: the checker's question says of
/// each exactly what the evaluator does, that it is true, false or an error.
@Suite struct QuestionShapeTests {
  /// Every shape of value that rules can make.
  private static let shapes = [
    "N.i", "D.i", "N.f", "N.nan", "N.s", "N.t", "N.l", "N.e", "N.m", "N.z", "N.b", "N.missing",
    "1", "1.0", "-0.0", "'a'", "'abc'", "true", "null", "b'ab'", "[1, 'a']", "[N.i, 'a']", "[]",
    "['a', 'i']", "['a', 'i'].toSet()", "[N.s].toSet()", "{'a': 1}", "{'a': N.i, 'i': 2}", "{}",
    "{'a': N.missing, 'a': 2}", "N", "D", "N.keys()", "D.keys().toSet()", "N.diff(D)",
    "N.diff(D).affectedKeys()", "N.diff(D).unchangedKeys()", "N.diff(D).addedKeys()",
    "N.diff(D).affectedKeys().difference(['i'].toSet())", "N.size()", "N.keys().size()",
    "-N.size()",
    "N.s.size()", "N.i + 1", "N.i + D.i", "N.s + 'x'", "-N.i", "-N.f", "N.get('i', 'a')",
    "N.get('missing', 'a')", "N.get(['m', 'a'], N.s)", "(N.b ? N.i : 'a')", "(N.i > 1 ? N : D)",
    "request", "request.auth", "request.auth.uid", "request.auth.token", "resource",
    "request.resource", "request.time", "request.path", "request.method", "id",
    "/databases/$(database)/documents/c/$(id)", "/a/$(N.i)/$(N.s)", "path('/a/b')",
    "get(/databases/$(database)/documents/c/$(id)).data", "duration.value(1, 'h')",
    "request.time + duration.value(1, 'h')", "timestamp.date(2020, 1, 1)", "latlng.value(1, 2)",
    "N.l[0]", "N.l[9]", "N.l[0:1]", "N.s[0]", "N['i']", "N.l.concat([1])", "hashing.md5('a')",
    "exists(/databases/$(database)/documents/c/other)", "N.s.split('b')", "debug(N.i)",
    "math.abs(N.f)", "int(N.s)", "string(N.i)", "N.diff(D).affectedKeys().size()", "[N.nan]",
    "{'a': N.nan}", "[-0.0]", "[[N.i]]", "N.t.year()", "!N.b", "N.l.toSet()",
  ].map {
    $0.replacingOccurrences(of: "N", with: "request.resource.data")
      .replacingOccurrences(of: "D", with: "resource.data")
  }
  private static let operators = [
    "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%", "&&", "||",
  ]
  private static let methods = Set(Builtins.table.filter { $0.receiver != nil }.map { $0.name })
    .sorted(by: Text.precedesByCodePoint)
  private static let types = TypeWord.allCases.map { $0.spelling }

  /// All of it by SHAPES=0; a sample of so many otherwise.
  private static let sample = Wanted.number("SHAPES", usually: 700, sample: 60)

  private static func conditions() -> [String] {
    var conditions: [String] = []
    for one in shapes {
      conditions += ["!\(one)", "[-\(one)] == []", one]
      conditions += types.map { "\(one) is \($0)" }
      for other in shapes {
        for op in operators {
          let text = "\(one) \(op) \(other)"
          conditions.append(op.count == 1 && op != "<" && op != ">" ? "[\(text)] != []" : text)
        }
        conditions += ["[\(one)[\(other)]] != []", "[\(one).get(\(other), 1)] != [0]"]
        for method in methods {
          conditions.append("[\(one).\(String(method))(\(other))] != [true]")
        }
      }
      for method in methods { conditions.append("[\(one).\(String(method))()] != [1]") }
    }
    return conditions
  }

  private static let fields: [(Text, Value)] = [
    ("i", .int(2)), ("f", .float(1.5)), ("nan", .float(.nan)), ("s", .string("abc")),
    ("t", .timestamp(.epoch)), ("l", .list([.int(1), .string("a")])), ("e", .list([])),
    ("m", .map(MapValue([("a", .int(1))]))), ("z", .null), ("b", .bool(true)), ("a", .int(5)),
    ("unnamed", .int(1)),
  ]

  @Test func theQuestionSaysWhatTheEvaluatorDoes() throws {
    let all = Self.conditions()
    var dice = Dice(seed: 14, UInt64(all.count))
    let chosen = Self.sample == 0 ? all : (0..<Self.sample).map { _ in dice.pick(all) }
    var (sure, problems): (Int, [String]) = (0, [])
    for condition in chosen {
      guard let problem = try Self.problem(condition) else { continue }
      if problem.isEmpty { sure += 1 } else { problems.append(problem) }
    }
    print("question shapes: \(chosen.count) of \(all.count), \(sure) decided and right")
    #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(12).joined(separator: "\n"))")
    #expect(sure > chosen.count / 2)
  }

  /// What is wrong about a condition; empty if nothing is, nil if it says nothing.
  private static func problem(_ condition: String) throws -> String? {
    let text =
      "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { "
      + "match /c/{id} { allow update: if \(condition); } } }"
    guard let rules = Checker.check(SourceText(name: "shape.rules", text)).checked else {
      return nil
    }
    let path = DocumentPath(["c", "one"])
    var before = MapValue(fields)
    before["i"] = .int(1)
    before["old"] = .int(1)
    let documents = Documents([(path, before)])
    let request = Request(
      principal: Principal(uid: "alice"), time: .epoch,
      operation: .commit([Write(to: path, .set(MapValue(fields), mask: nil), precondition: .exists)]
      ))
    guard let decision = try? Engine(rules).decide(request, on: documents),
      let result = decision.accesses.first?.tried.first?.result
    else { return nil }
    var isFailure = false
    var isGrant = false
    switch result {
    case .granted: isGrant = true
    case .refused: break
    case .failed: isFailure = true
    }
    var claim = Claim(
      name: "shape", path: try #require(ClaimPath("/c/{id}")), methods: MethodSet(.update),
      obligation: .noErrors)
    guard let fails = try isModel(of: claim, rules, request, documents, path) else { return nil }
    claim.obligation = .alwaysIf(Claim.Condition("true"))
    guard let isDenied = try isModel(of: claim, rules, request, documents, path) else { return nil }
    if fails == isFailure, isDenied == !isGrant { return "" }
    return "\(condition): \(result), but the question says error \(fails), true \(!isDenied)"
  }

  /// Whether a request is a model of the question of a claim; nil if the request does not say.
  private static func isModel(
    of claim: Claim, _ rules: Checked, _ request: Request, _ documents: Documents,
    _ path: DocumentPath
  ) throws -> Bool? {
    let stated = try StatedClaim(claim, about: rules, profile: .emulator)
    guard let question = try? stated.question(for: stated.kinds[0]),
      var world = QuestionInterpretation(
        question, naming: stated.rules.namedKeys, request, on: documents, of: path,
        in: stated.rules.database)
    else { return nil }
    let nodes = world.propositions()
    func holds(_ prop: Prop) -> Bool? { nodes[prop.node].map { $0 != prop.isDenied } }
    let goals = Set(question.goals)
    for axiom in question.axioms where !goals.contains(axiom) && holds(axiom) == false {
      Issue.record("an axiom does not hold: \(world.describe(axiom))")
    }
    if question.goals.contains(where: { holds($0) == false }) { return false }
    return question.goals.contains { holds($0) == nil } ? nil : true
  }
}
