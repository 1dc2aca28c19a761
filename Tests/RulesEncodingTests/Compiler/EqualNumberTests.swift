import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof

/// Ints and floats that are equal: what is asked of one is asked of the other.
@Suite struct EqualNumberTests {
  private static let cases: [(condition: String, verdict: String)] = [
    ("a == b && a is int && b is float && a > 3 && b < 2.5", "proved"),
    ("a == b && a is int && b is float && a > 3 && b < 4.5", "violated"),
    ("a == b && a == 7 && b != 7", "proved"), ("a == b && a == 7.0 && !(b in [7, 7.0])", "proved"),
    ("a == b && a is int && b == 7.0 && a != 7", "proved"),
    ("a == 0 && a is float", "violated"), ("a == 7 && a is float", "violated"),
    ("a == 7.5 && a is int", "proved"),
    ("a == b && a is int && b is float && b != b", "proved"),
  ]

  /// 2^53 + 1 is no float: as a float it is 2^53.
  @Test(arguments: [
    "a == 9007199254740992.0 && a is int && a > 9007199254740992",
    "a == b && a is int && b is float && a > 9007199254740992 && b <= 9007199254740992.0",
  ])
  func intsThatAreRoundedAreNotTakenForFloats(_ condition: String) throws {
    #expect(try Self.verdict(condition) != "proved")
  }

  /// `diff()` is exact: it sees a change from 2^53 + 1 to the float 2^53, which `==` does not.
  @Test(arguments: [
    ("new.a == old.a", "violated"), ("new.a == old.a && new.a is int && old.a is int", "proved"),
    ("new.a == old.a && new.a < 9 && new.a > -9", "proved"),
    ("new.a == old.a && new.a > 9", "violated"),
    ("new.a == old.a && new.a is string", "proved"),
  ])
  func whatIsEqualCanHaveChanged(_ condition: String, _ verdict: String) throws {
    let text = condition.replacing("new.", with: "request.resource.data.")
      .replacing("old.", with: "resource.data.")
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /c/{d} {
          allow update: if (\(text))
            && 'a' in request.resource.data.diff(resource.data).affectedKeys();
        }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/c/{d}")), methods: MethodSet(.update),
      obligation: .never)
    #expect(Prover(try ClaimSet([claim], about: checked)).decide(0).word == verdict)
  }

  @Test(arguments: cases)
  func equalNumbersShareTheirBounds(_ condition: String, _ verdict: String) throws {
    #expect(try Self.verdict(condition) == verdict)
  }

  private static func verdict(_ condition: String) throws -> String {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /c/{d} {
          allow create: if holds(request.resource.data.a, request.resource.data.b);
          function holds(a, b) { return \(condition); }
        }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/c/{d}")), methods: MethodSet(.create),
      obligation: .never)
    return Prover(try ClaimSet([claim], about: checked)).decide(0).word
  }
}
