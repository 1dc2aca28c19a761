import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting

/// Operations on operands of a type that the prover once mistook for another: of each condition it is known
/// on one request whether it is true, false or an error, and no claim that the request refutes is proved.
@Suite struct OperandTests {
  /// What a condition is on `{"a": 1, "b": 2, "l": ["x"], "m": {"a": 1}, "s": "x"}`, to which an update
  /// writes `{"a": 2, "c": 1, "l": ["x"]}`.
  enum Outcome { case yes, no, error }

  private static let old = "resource.data"
  private static let new = "request.resource.data"
  private static let changes = "\(new).diff(\(old))"

  private static let conditions: [(String, Outcome)] = [
    // Numbers of keys are ints.
    ("-\(old).size() < 0", .yes), ("-\(old).keys().size() == -5", .yes),
    ("-\(changes).affectedKeys().size() < 0", .yes),
    ("-(\(old).s == 'x' ? \(old).size() : 7) == -5", .yes), ("-\(old).size() == 5", .no),
    ("\(old).size() + 1 == 6", .yes), ("\(old).size() < 5.5", .yes),
    ("\(old).size() == 5.0", .yes), ("\(old).size() < '9'", .error),
    ("\(old).size() == 'x'", .no), ("!(\(old).size() == 'x')", .yes),
    ("\(old).size() in [5]", .yes), ("math.abs(\(old).size()) == 5", .yes),
    ("\(old).size().size() == 1", .error), ("\(old).size()[0] == 1", .error),
    ("/a/$(\(old).size()) == /a/5", .yes), ("string(\(old).size()) == '5'", .yes),
    // Lists of keys are no sets, and sets no lists.
    ("\(old).keys().hasOnly(['a', 'b', 'l', 'm', 's'].toSet())", .error),
    ("\(old).keys().hasAll(['a'].toSet())", .error),
    ("\(old).keys().hasAny(['a'].toSet())", .error),
    ("\(old).l.hasAny([\(old).s].toSet())", .error), ("['x'].hasAny(\(old).l.toSet())", .error),
    ("[\(old).s].hasAll(['x'].toSet())", .error), ("[\(old).s].hasAny(['x'])", .yes),
    ("\(changes).affectedKeys().difference(['a', 'b', 'm', 's', 'c']).size() == 0", .error),
    ("\(changes).affectedKeys().union(['a']).size() > 0", .error),
    ("\(changes).affectedKeys().intersection(['a']).size() > 0", .error),
    ("\(changes).affectedKeys().hasOnly(['a', 'b', 'm', 's', 'c'])", .yes),
    ("\(changes).affectedKeys().hasOnly(['a', 'b', 'm', 's', 'c'].toSet())", .yes),
    ("\(old).keys() == ['a', 'b', 'l', 'm', 's'].toSet()", .no),
    ("\(old).keys().toSet() == ['s', 'a', 'b', 'l', 'm'].toSet()", .yes),
    ("\(old).keys().toSet() == ['a', 'b', 'l', 'm'].toSet()", .no),
    ("\(old).keys() < ['a']", .error), ("\(old).keys()[0] == 'a'", .yes),
    ("\(old).keys().toSet()[0] == 'a'", .error), ("\(old).keys().join('') == 'ablms'", .yes),
    ("\(old).keys().concat(['z']).size() == 6", .yes),
    ("\(old).keys().removeAll(['a'].toSet()).size() == 4", .error),
    ("\(old).keys() is set", .no), ("\(old).keys().toSet() is list", .no),
    ("\(old).a in \(old).keys()", .no), ("'a' in \(old).keys().toSet()", .yes),
    ("\(changes).keys().size() == 2", .error), ("\(changes) == \(changes)", .no),
    // Sets compare by their own equality.
    ("1.0 in [1].toSet()", .yes), ("1.0 in [\(old).a].toSet()", .yes), ("1.0 in [\(old).a]", .no),
    ("['x', 'y'].toSet() == [\(old).s, 'y'].toSet()", .yes),
    ("\(old).l.toSet() == ['x'].toSet()", .yes), ("['a', 'b'].toSet() == ['b', 'a'].toSet()", .yes),
    // Every value of a map is evaluated, and a repeated key keeps its place.
    ("{'a': \(old).zz, 'a': 2}.a == 2", .error), ("{'a': 2, 'a': \(old).zz}.a == 2", .error),
    ("{'a': {'b': \(old).zz, 'b': 1}, 'a': 2}.a == 2", .error), ("{'a': 1, 'a': 2}.a == 2", .yes),
    ("{\(old).zz: 1, 'a': 2}.a == 2", .error), ("{1: 1, 'a': 2}.a == 2", .error),
    ("{'a': 1, 'b': 2, 'a': 3}.values() == [3, 2]", .yes),
    ("{\(old).s: \(old).zz}.size() == 1", .error), ("{\(old).s: 1}.x == 1", .yes),
    ("{'a': \(old).zz, 'a': 2}.size() == 1", .error),
    // The order of a map's values is not a matter of the map as it is compared.
    ("{'a': 1, 'b': 2}.values() == [1, 2] && {'b': 2, 'a': 1}.values() == [2, 1]", .yes),
    // The default of a path of keys is not walked into.
    ("\(old).get(['zz', 'b'], {'b': 5}) == {'b': 5}", .yes), ("\(old).get([], 1) == \(old)", .yes),
    ("\(old).get(['m', 'a'], 7) == 1", .yes), ("\(old).get(['zz', 1], 7) == 7", .error),
    ("\(old).get('a', \(old).zz) == 1", .error), ("\(old).get(['a', 'b'], 7) == 7", .yes),
    // Paths.
    ("path('/a/{b}').bind({'b': 'x'}).b == 'x'", .yes),
    ("path('/a/{b}').bind({'b': 'x'})['b'] == 'x'", .yes), ("(/a/b).c == 1", .error),
    ("path('/x/{a}') == path('/x/a')", .no), ("/a/b == path('/a/b')", .yes),
    ("path('/a/{b}').bind({'b': \(old).s}).b == 'x'", .yes),
    ("path('/a/{b}').bind({'b': \(old).s}) == /a/x", .yes),
    // An empty name is the default database.
    ("exists(/databases/$('')/documents/c/d)", .yes),
    ("get(/databases/$('')/documents/c/d).data.a == 1", .yes),
    ("exists(/databases/$('x')/documents/c/d)", .error), ("exists(/a/b)", .error),
    ("exists(\(old).s)", .error),
    // All arguments are evaluated.
    ("debug(\(old).a, \(old).zz) == 1", .error), ("'x'.matches(\(old).zz)", .error),
    ("hashing.md5(\(old).a) is bytes", .error),
  ]

  private static let request = CandidateRequest(
    method: .update, access: .document, path: DocumentPath(["c", "d"]),
    principal: Principal(uid: "u"), time: .epoch,
    before: MapValue([
      ("a", .int(1)), ("b", .int(2)), ("l", .list([.string("x")])),
      ("m", .map(MapValue([("a", .int(1))]))), ("s", .string("x")),
    ]),
    after: MapValue([("a", .int(2)), ("c", .int(1)), ("l", .list([.string("x")]))]))

  @Test(arguments: Wanted.sample(of: Array(conditions.indices)))
  func nothingIsProvedThatARequestRefutes(_ place: Int) throws {
    let (condition, outcome) = Self.conditions[place]
    let set = try Self.set(condition, .noErrors)
    let decision = try set.engine.decide(Self.request.request, on: Self.request.documents)
    let result = try #require(decision.accesses.first?.tried.first?.result)
    switch (result, outcome) {
    case (.granted, .yes), (.refused, .no), (.failed, .error): break
    default: Issue.record("`\(condition)` is \(result)")
    }
    for scenario in set.scenarios(of: set.claims[0]) {
      let goal = Goal(set.claims[0], in: set, for: scenario)
      if case .different(let problem) = RailCheck.compare(Self.request, with: goal, of: set) {
        Issue.record("`\(condition)`: \(problem)")
      }
    }
    if outcome == .error { try Self.expectDoubt(condition, .noErrors) }
    try Self.expectDoubt(
      condition, outcome == .yes ? .never : .alwaysIf(Claim.Condition("true")))
  }

  private static func expectDoubt(_ condition: String, _ obligation: Claim.Obligation) throws {
    let verdict = Prover(try set(condition, obligation)).decide(0)
    #expect(verdict.word != "proved", "`\(condition)`: \(obligation)")
  }

  private static func set(_ condition: String, _ obligation: Claim.Obligation) throws -> ClaimSet {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /c/{id} { allow update: if \(condition); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked, "\(condition)")
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/c/{id}")), methods: MethodSet(.update),
      obligation: obligation)
    return try ClaimSet([claim], about: checked)
  }
}
