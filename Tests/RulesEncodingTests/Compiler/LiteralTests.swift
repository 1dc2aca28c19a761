import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof

/// Lists and maps that are written out, compared with others of their kind.
@Suite struct LiteralTests {
  private static let cases: [(condition: String, verdict: String)] = [
    ("[data.a] == ['x']", "violated"), ("[data.a] == ['x', 1]", "proved"),
    ("[[data.a]][0] == [2]", "violated"), ("[[data.a], 1] == [[true], 1]", "violated"),
    ("[data.a] == [1] && data.a == 2", "proved"), ("[request.auth.uid] == [1]", "proved"),
    ("[data.a] == [1.0] && data.a is int", "proved"),
    ("[data.a] in [[1], [2]] && data.a == 2", "violated"),
    ("[data.a] in [[1], [2]] && data.a == 3", "proved"),
    ("{'a': data.a, 'b': 1} == {'b': 1, 'a': 'x'}", "violated"),
    ("{'a': data.a} == {'b': data.a}", "proved"),
    ("{'a': [data.a]} == {'a': [1]} && data.a != 1", "proved"),
    ("{'a': data.a} == {'a': data.b} && data.a != data.b", "proved"),
    ("{'a': data.a} == {'a': [data.b]} && data.a[0] == 'x'", "violated"),
  ]

  @Test(arguments: cases)
  func partsAreCompared(_ condition: String, _ verdict: String) throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /a/{b} {
          allow create: if holds(request.resource.data);
          function holds(data) { return \(condition); }
        }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/a/{b}")), methods: MethodSet(.create),
      obligation: .never)
    #expect(Prover(try ClaimSet([claim], about: checked)).decide(0).word == verdict)
  }
}
