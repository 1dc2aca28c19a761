import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof

/// In files with many names it is left to the evaluator how many keys a field has that may be a list or a
/// text as well (`Compiler.mapSize`): proofs that rest on lists and texts are found as ever, none is wrong.
@Suite struct ManyNamesTests {
  private static let impossible = [
    "d.x is list && d.x.size() <= 2 && 'a' in d.x && 'b' in d.x && 'c' in d.x", "d.x.size() < 0",
    "d.x is map && d.x == d.y && d.x.size() > 3 && d.y.size() < 3",
    "d.x is string && d.x.size() > 3 && d.x in ['a', 'bcd']", "d.x.size() > 2 && d.x is int",
    "d.size() == 0 && d.x == 1",
  ]

  private static let possible = [
    "d.x.size() <= 3", "d.x.size() > 2 && d.x is list", "d.x is string && d.x.size() > 3",
    "d.x is map && d.x.size() == 0", "d.x is map && d.x.size() < 50",
    "d.x is map && d.x.size() == 1", "d.x is map && d.x.size() > 60",
    "d.x is map && d.x.size() == d.y && d.y is int", "d.size() == 1 && d.x == 1",
  ]

  private static func verdict(_ condition: String) throws -> Verdict {
    let others = (0..<50).map { "d.name\($0) == 1" }.joined(separator: " || ")
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        function holds(d) { return \(condition); }
        function never(d) { return request.auth.uid == 0 && (\(others)); }
        match /a/{b} { allow get: if holds(resource.data) || never(resource.data); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/a/{b}")), methods: MethodSet(.get),
      obligation: .never)
    return Prover(try ClaimSet([claim], about: checked)).decide(0)
  }

  @Test(arguments: impossible)
  func whatNoRequestSatisfiesIsProved(_ condition: String) throws {
    let verdict = try Self.verdict(condition)
    #expect(verdict.word == "proved", "\(verdict)")
  }

  @Test(arguments: possible)
  func whatSomeRequestSatisfiesIsShown(_ condition: String) throws {
    let verdict = try Self.verdict(condition)
    #expect(verdict.word == "violated", "\(verdict)")
  }
}
