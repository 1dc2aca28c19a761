import RulesEncoding
import RulesLang
import RulesSolver
import Testing

@testable import RulesEval
@testable import RulesHost
@testable import RulesProof
@testable import RulesTesting

/// What is asked of one list or map in several ways, put together: what some document is like has a
/// request, and what no document is like is proved impossible.
@Suite struct CollectionTests {
  private static let new = "request.resource.data"
  private static let old = "resource.data"
  private static let unchanged = "\(new).diff(\(old)).affectedKeys().hasOnly([])"

  private static let level = "request.auth.token.level"

  /// Three fields that are lists.
  private static let lists = "\(new).a is list && \(new).b is list && \(new).m is list"

  private static let possible = [
    // Lists.
    "['x', 1] == \(new).m && 1 in \(new).m", "\(new).m.size() == 1 && \(new).m[0] != \(new).m[0]",
    "[\(new).b, 1] == \(new).m && \(new).m.hasOnly([1, 'x']) && \(new).m != [1, 1]",
    "\(new).m.size() == 2 && \(new).m[0] == 1 && \(new).m is list && \(new).m != [1, 'x']",
    "\(new).m is list && !\(new).m.hasOnly([1]) && \(new).m.hasOnly([1, 'x'])",
    "!\(new).m.hasOnly([1, 'x']) && \(new).m.size() == 1",
    "\(new).m.hasOnly([1, 'x']) && \(new).m.hasOnly(['x', 2]) && \(new).m.size() == 2",
    "\(new).b == \(new).m && \(new).m.hasAny(['x', 2]) && !(\(new).b.size() > 1)",
    "\(new).b == \(new).m && \(new).m[0] == 1 && !(1 in \(new).b)",
    // Two lists of which neither is written out.
    "\(lists) && \(new).a.hasAll(\(new).m) && \(new).m.size() == 2 && \(new).a.size() == 3",
    "\(lists) && !\(new).a.hasAll(\(new).m) && \(new).m.hasAll(\(new).a)",
    "\(lists) && \(new).a.hasAll(\(new).m) && \(new).m.hasAll(\(new).a) && 'x' in \(new).a",
    "\(lists) && \(new).a.hasAny(\(new).m) && !\(new).a.hasAll(\(new).m)"
      + " && !\(new).a.hasOnly(\(new).m)",
    "\(lists) && \(new).a.size() == \(new).m.size() + 1 && \(new).a.hasAll(\(new).m)"
      + " && \(new).a.hasAny([request.auth.uid]) && \(new).m.size() > 0",
    "\(lists) && \(new).a.hasOnly(\(new).m) && \(new).m.hasOnly(\(new).b) && 'x' in \(new).a",
    "\(lists) && !\(new).a.hasAll(\(new).a)", "\(lists) && ['x'].hasAll(\(new).a)",
    "\(new).m.keys().hasAll(\(new).a) && \(new).a.size() > 0",
    "\(new).a.hasOnly(\(new).m.keys()) && \(new).a.hasAll(\(new).m.keys())"
      + " && \(new).m.keys().size() == 2",
    "!\(new).a.hasAny(\(new).m.keys()) && \(new).a.size() > 0 && 'x' in \(new).m",
    "\(new).m.keys().hasOnly(\(old).m.keys()) && !\(new).m.keys().hasAll(\(old).m.keys())",
    // Maps.
    "\(new).m.a == 'x' && {'a': 'x'} != \(new).m",
    "id in \(new).m && \(new).m.keys().size() == 1",
    "id in \(new).m && \(new).m.keys().hasOnly(['a'])",
    // Values that are nearly the same.
    "\(unchanged) && \(new).m != \(old).m && \(new).m is list && \(new).m[0] == 'x'",
    "\(unchanged) && \(new).m != \(old).m && \(new).m is map && 'x' in \(new).m",
    "\(unchanged) && \(new).m != \(old).m && [1] == \(new).m",
    "\(unchanged) && \(new) != \(old)",
    "\(new).diff(\(old)).affectedKeys().hasOnly(['m']) && \(new).a == \(old).m"
      + " && \(old).m.a == 'x' && \(old).a != \(new).a",
    "\(unchanged) && 1 in \(new).m && !(1 in \(old).m)",
    // A vector is the list of its numbers to `diff()`.
    "\(unchanged) && \(new).m is vector && \(old).m is list",
    "\(unchanged) && \(new).m is list && \(old).m is vector && \(new).m.size() == 3",
    "\(unchanged) && \(new).m is vector && \(old).m is list && \(old).m[0] is int",
    "\(unchanged) && \(new).m.a is vector && \(old).m.a is list",
    // Tokens are JSON.
    "\(level) == 5", "\(level) is float && \(level) > 1",
    "\(level) == \(old).a && \(old).a is float",
    "\(level) == \(old).a && \(level) is int && \(old).a is float", "\(level) == [1, 1.5]",
    // Ints that are rounded to the same float.
    "\(unchanged) && \(new).a == \(old).m && \(old).a != \(old).m && \(old).a is int",
    "\(new).a == \(old).a && \(old).a == \(old).m && \(new).a != \(old).m",
    "\(unchanged) && \(new).a.hasOnly([0.0]) && \(old).a.hasOnly([0.0]) && \(new).a != \(old).a",
    "\(unchanged) && 9007199254740992.0 in \(new).a && !(9007199254740992.0 in \(old).a)",
    // Order and patterns.
    "\(new).a > 'b' && \(new).a.matches('[a-c]+') && \(new).a <= 'bb'",
    "\(new).a < 'b' && \(new).a > 'az' && \(new).a.size() == 3",
    "\(new).a > \(old).a && \(old).a is int && \(new).a < \(old).a + 1",
  ]

  private static let impossible = [
    // Lists.
    "[\(new).b, 1] == \(new).m && !(1 in \(new).m)",
    "[\(new).b, 1] == \(new).m && \(new).m != \(new).m",
    "\(new).m.size() < 1 && 'x' in \(new).m", "\(new).m.size() < 2 && \(new).m.hasAll(['x', 1])",
    "\(new).m.size() == 2 && \(new).m[0] == 1 && \(new).m.hasAll([2, 'x'])",
    "\(new).m == [1, 'x'] && !\(new).m.hasOnly([1, 'x'])",
    "\(new).m.size() == 1 && 1 in \(new).m && !\(new).m.hasOnly([1, 'x'])",
    "\(new).m.size() == 1 && 1 in \(new).m && \(new).m != \(new).m",
    "\(new).m.hasOnly([1]) && \(new).m.hasOnly(['x']) && \(new).m.size() > 0",
    "\(new).m.hasOnly([1, 'x']) && !\(new).m.hasAny([1, 'x']) && \(new).m.size() > 0",
    "\(new).m.size() == 2 && \(new).m[0] == 1 && \(new).m[1] == 'x' && \(new).m != [1, 'x']"
      + " && \(new).m is list && \(new).m[0] is int",
    "\(new).b == \(new).m && \(new).m.size() == 2 && \(new).m[1] == 'x' && !('x' in \(new).b)",
    "[\(new).a, 1] == \(new).m && \(new).m == \(new).b && !(1 in \(new).b)",
    "\(new).b == \(new).m && \(new).m.hasAny(['x', 2]) && !(\(new).b.size() > 0)",
    "\(new).b == \(new).m && \(new).m.hasOnly(['x']) && \(new).b.size() == 1 && !('x' in \(new).b)",
    // Two lists of which neither is written out.
    "\(lists) && \(new).a.hasAll(\(new).m) && 'x' in \(new).m && !('x' in \(new).a)",
    "\(lists) && \(new).a.hasOnly(\(new).m) && 'x' in \(new).a && !('x' in \(new).m)",
    "\(lists) && !\(new).a.hasAny(\(new).m) && 'x' in \(new).a && 'x' in \(new).m",
    "\(lists) && \(new).a.size() == 0 && \(new).a.hasAll(\(new).m) && \(new).m.size() > 0",
    "\(lists) && \(new).m.size() == 0 && !\(new).a.hasAll(\(new).m)",
    "\(lists) && \(new).a.hasAll(\(new).m) && \(new).m[0] == 'x' && !('x' in \(new).a)",
    "\(new).m.keys().hasAll(\(new).a) && 1 in \(new).a",
    "\(new).m.keys().hasAll(\(new).a) && 'x' in \(new).a && !('x' in \(new).m)",
    "\(new).a.hasAll(\(new).m.keys()) && 'x' in \(new).m && !('x' in \(new).a)",
    "\(new).m.keys().hasOnly(\(old).m.keys()) && 'x' in \(new).m && !('x' in \(old).m)",
    // Maps.
    "id in \(new).m && \(new).m.keys().size() == 0",
    "id in \(new).m && id != 'a' && \(new).m.keys().hasOnly(['a'])",
    "\(new).m is map && \(new).m.keys().hasOnly(['a']) && \(new).m.a == 'x'"
      + " && {'a': 'x'} != \(new).m",
    "\(new).m is map && \(new).m.keys().hasOnly([]) && \(new).m != \(new).m",
    "{'a': 2} == \(new).m && \(new).m.size() == 4",
    "{'a': 2} == \(new).m && \(new).m == \(old).m && 'b' in \(old).m.keys()",
    // Values that are nearly the same.
    "\(unchanged) && [\(old).a, 1] == \(new).a", "\(unchanged) && [\(new).a, 1] == \(old).a",
    "\(unchanged) && \(old).m.a == \(new).m",
    "\(unchanged) && \(new).m != \(old).m && ['x', \(new).b] == \(new).m && \(new).b is string",
    "\(unchanged) && \(new).m != \(old).m && \(new).m.hasOnly(['x', 'y'])",
    "\(unchanged) && \(new).m != \(old).m && \(new).m is map && \(new).m.keys().hasOnly([])",
    "\(unchanged) && 'x' in \(new).m && \(old).m is list && !('x' in \(old).m)",
    "\(unchanged) && \(new).m.a == 'x' && \(old).m.a == 'y'",
    "\(unchanged) && \(new).a == \(old).m && \(old).a != \(old).m && \(old).a is int"
      + " && \(old).a < 5 && \(old).a > 0",
    "\(new).a == \(old).a && \(old).a == \(old).m && \(new).a != \(old).m"
      + " && \(new).a is int && \(new).a < 5 && \(new).a > 0",
    // A vector is the list of its numbers to `diff()`.
    "\(unchanged) && \(new).m is vector && \(old).m is list && 'x' in \(old).m",
    "\(unchanged) && \(new).m is vector && \(old).m is list && \(old).m.size() == 0",
    "\(unchanged) && \(new).m is vector && \(old).m is list && \(old).m[0] is string",
    "\(unchanged) && \(new).m is vector && \(old).m is map",
    "\(unchanged) && \(new).m is list && \(old).m is vector && \(new).m == \(old).m",
    // Tokens are JSON.
    "\(level) == 5 && !(\(level) is int)", "\(level) == 5.0 && \(level) is float",
    "\(level) != \(level)", "\(level) == [1.0]", "\(level) == {'a': [2.0]}",
    "\(level) == \(old).a && \(old).a is int && \(level) is float",
    // The emulator refuses to store a vector with a NaN.
    "\(new).a is vector && \(new).a != \(new).a",
    // Order and patterns.
    "\(new).a > 'b' && \(new).a.matches('a.*')", "\(new).a > 'b' && \(new).a.size() < 1",
    "\(new).a < \(new).b && \(new).b < \(new).c && \(new).c < \(new).a && \(new).a is string",
    "\(new).a < \(old).a && \(old).a is int && !(\(new).a < \(old).a + 1)",
    "\(new).a > \(old).a && \(old).a is int && \(new).a < \(old).a - 5",
    "\(new).a is float && \(new).a > \(old).a && \(new).a <= \(old).b && \(old).a > \(old).b"
      + " && \(old).a is int && \(old).b is int",
  ]

  @Test(arguments: possible)
  func whatSomeDocumentIsLikeHasARequest(_ condition: String) throws {
    #expect(try Self.verdict(condition, .update).word == "violated")
  }

  @Test(arguments: impossible)
  func whatNoDocumentIsLikeIsProvedImpossible(_ condition: String) throws {
    #expect(try Self.verdict(condition, .update).word == "proved")
  }

  /// How the filters of two fields compare nobody knows, not even of a field and itself.
  @Test(arguments: ["a > resource.data.a", "a < resource.data.a", "a in resource.data.a"])
  func filtersAreNotComparedWithEachOther(_ comparison: String) throws {
    #expect(try Self.verdict("resource.data.\(comparison)", .list).word == "proved")
  }

  /// What filters leave open is in no list, and differs from itself if a filter is about NaN.
  @Test(arguments: [
    "resource.data.b in [resource.data.b]", "[resource.data.b] == [resource.data.b]",
  ])
  func whatFiltersLeaveOpenIsNotAlwaysItself(_ condition: String) throws {
    let types = ["float", "list", "map"].map { "resource.data.b is \($0)" }
    let isOdd = types.joined(separator: " || ")
    #expect(try Self.verdict("!(\(condition)) && !(\(isOdd))", .list).word == "violated")
  }

  /// What filters name is in the documents that the query returns; an equality beside another filter
  /// leaves the value open.
  @Test func filtersNameFieldsOfDocuments() throws {
    let (open, proved) = ("violated", "proved")
    let data = "resource.data"
    let missing = "!(\(data).keys().hasAny(['a']))"
    let cases = [
      ("\(data).x == true && !(\(data).x is bool)", "never", open),
      ("\(data).keys().hasAll(['a', 'b'])", "\(data).keys().hasAll(['a'])", proved),
      ("\(data).keys().size() == 2 && \(missing)", "never", open),
      ("\(data).m.keys().size() == 2 && \(missing)", "\(data).keys().size() > 1", open),
      ("\(data).keys().size() > 0", "\(data).keys().size() > 0", proved),
      // A filter can ask for a NaN.
      ("!(\(data) == \(data))", "never", open), ("!(\(data).m == \(data).m)", "never", open),
    ]
    for (condition, claim, expected) in cases {
      let verdict = try Self.verdict(condition, .list, onlyIf: claim == "never" ? nil : claim)
      #expect(verdict.word == expected, "\(condition)")
    }
  }

  /// Whatever is stated so that these are decided is true of each request, also of those that are not
  /// like this.
  @Test(arguments: possible + impossible)
  func whatIsStatedIsTrueOfRequests(_ condition: String) throws {
    let set = try Self.set(condition, .update)
    let scenario = try #require(set.scenarios(of: set.claims[0]).first)
    let goal = Goal(set.claims[0], in: set, for: scenario)
    // Of two lists it is stated where a model is wrong about them.
    for index in 0..<goal.compiler.problem.terms.count {
      let term = goal.compiler.problem.terms[TermID(index)]
      guard case .apply(.builtin(let builtin), let lists) = term else { continue }
      goal.compiler.problem.linkComparison(builtin, of: lists)
    }
    var requests = RandomRequests(dice: Dice(seed: 1, UInt64(condition.utf8.count)))
    var compared = 0
    let drawn = Wanted.cases(10, of: 40)
    for _ in 0..<drawn {
      switch RailCheck.compare(requests.candidate(.update), with: goal, of: set) {
      case .same, .open: compared += 1
      case .refused: continue
      case .different(let problem): Issue.record("\(problem)")
      }
    }
    #expect(compared > drawn / 2)
  }

  private static func verdict(
    _ condition: String, _ method: Method, onlyIf claim: String? = nil
  ) throws -> Verdict {
    Prover(try set(condition, method, onlyIf: claim)).decide(0)
  }

  private static func set(
    _ condition: String, _ method: Method, onlyIf claim: String? = nil
  ) throws -> ClaimSet {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /users/{id} { allow \(method.word): if \(condition); }
      } }
      """
    let obligation = claim.map { "\"onlyIf\": \"\($0)\"" } ?? "\"never\": true"
    let suite = """
      {"claims": [{"path": "/users/{id}", "methods": "\(method.word)", \(obligation)}]}
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claims = SuiteReader.read(SourceText(name: "suite", suite)).0?.claims
    return try ClaimSet(try #require(claims), about: checked)
  }
}
