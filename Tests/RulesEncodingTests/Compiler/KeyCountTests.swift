import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof

/// Numbers of keys, of one document and of what changed between two: those that fit together have a
/// request, and those that do not are proved impossible.
@Suite struct KeyCountTests {
  private static let changes = "request.resource.data.diff(resource.data)"

  private static let possible = [
    "resource.data.size() == 2",
    "resource.data.size() >= 3 && request.resource.data.size() == 2",
    "request.resource.data.size() == 5 && resource.data.size() == 3"
      + " && \(changes).affectedKeys().size() == 2 && 'a' in resource.data",
    "resource.data.size() == 20 && request.resource.data.size() == 30"
      + " && \(changes).affectedKeys().size() == 12",
    "\(changes).removedKeys().size() == 4 && \(changes).addedKeys().size() == 2"
      + " && request.resource.data.size() == 2",
    "request.resource.data.keys().size() > 2 && \(changes).unchangedKeys().size() > 1"
      + " && \(changes).changedKeys().size() < 1",
  ]

  private static let impossible = [
    "request.resource.data.size() == 5 && resource.data.size() == 3"
      + " && \(changes).affectedKeys().size() == 1",
    "resource.data.size() == 3 && \(changes).removedKeys().size() == 4",
    "resource.data.size() == 3 && \(changes).affectedKeys().size() == 0"
      + " && request.resource.data.size() != 3",
    "\(changes).unchangedKeys().size() == 2 && request.resource.data.size() < 2",
    "resource.data.size() == 2 && 'a' in resource.data && 'b' in resource.data"
      + " && \(changes).changedKeys().size() == 3",
  ]

  @Test(arguments: possible)
  func numbersThatFitTogetherHaveARequest(_ condition: String) throws {
    #expect(try Self.verdict(condition).word == "violated")
  }

  @Test(arguments: impossible)
  func numbersThatDoNotAreProvedImpossible(_ condition: String) throws {
    #expect(try Self.verdict(condition).word == "proved")
  }

  /// Of seven keys there are as many as are counted, never more.
  @Test(arguments: 0...9)
  func namedKeysAreCountedExactly(count: Int) throws {
    let names = "['a', 'b', 'c', 'd', 'e', 'f', 'g']"
    let fits = count <= 7
    let all = "resource.data.keys().hasOnly(\(names)) && resource.data.size() == \(count)"
    #expect(try Self.verdict(all).word == (fits ? "violated" : "proved"))
    let most = "resource.data.keys().hasAll(\(names)) && resource.data.size() <= \(count)"
    #expect(try Self.verdict(most).word == (count >= 7 ? "violated" : "proved"))
  }

  private static func verdict(_ condition: String) throws -> Verdict {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /a/{b} { allow update: if \(condition); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/a/{b}")), methods: MethodSet(.update),
      obligation: .never)
    return Prover(try ClaimSet([claim], about: checked)).decide(0)
  }
}
