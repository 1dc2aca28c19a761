import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Conditions that some request satisfies, so that "nothing is allowed" must never be proved of them.
@Suite struct SatisfiableTests {
  private static let conditions = [
    "[request.auth] == [request.auth]", "request.auth == request.auth",
    "[[request.auth.uid]] == [[request.auth.uid]]", "[[null]] == [[resource]]",
    "{'a': b} == {'a': b}", "[request.auth] != [1]", "[[b]] != [[1]]", "[b] in [[b]]",
    "{'a': b} in [{'a': b}]", "[[b]].toSet() == [[b]].toSet()", "[b].concat([b]) == [b, b]",
    "[[b]].hasAny([[b]])", "request.auth in [request.auth]", "resource == resource",
    "request == request", "[b, [b]][1] == [b]", "[[b]][0] == [b]",
    "(b == 'x') == (b != 'y')", "true in [b == 'x']",
  ]

  @Test(arguments: conditions)
  func whatSomeRequestSatisfiesIsNotProvedImpossible(_ condition: String) throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /a/{b} { allow get: if \(condition); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let request = Request(
      principal: Principal(uid: "alice"), time: .epoch,
      operation: .get([DocumentPath(["a", "x"])]))
    #expect(try Engine(checked).decide(request, on: Documents()).isAllowed)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/a/{b}")), methods: MethodSet(.get),
      obligation: .never)
    let verdict = Prover(try ClaimSet([claim], about: checked)).decide(0)
    #expect(verdict.word != "proved")
  }

  /// Whether `request` has an `autoId` depends on the client's precondition.
  @Test(arguments: [
    "!('autoId' in request)", "request.get('autoId', 1) == 1",
    "!request.keys().hasAll(['autoId'])",
  ])
  func membersThatComeAndGoAreNotTakenForGranted(_ condition: String) throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /a/{b} { allow create: if \(condition); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let request = Request(
      principal: nil, time: .epoch,
      operation: .commit([Write(to: DocumentPath(["a", "x"]), .set(MapValue(), mask: nil))]))
    #expect(try Engine(checked).decide(request, on: Documents()).isAllowed)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/a/{b}")), methods: MethodSet(.create),
      obligation: .never)
    let verdict = Prover(try ClaimSet([claim], about: checked)).decide(0)
    #expect(verdict.word != "proved")
  }

  /// A path that is longer than any pattern is still a path; one that is written out is looked at.
  @Test(arguments: ["resource.__name__", "resource['__name__']", "request.path", "request['path']"])
  func pathsOfAnyLengthAreNotGeneralized(_ path: String) throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { match /{p=**} {
        allow get: if \(path) == /databases/$(database)/documents/a/b/c/d/e/f/g/h;
      } } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/{x=**}")), methods: MethodSet(.get),
      obligation: .never)
    let verdict = Prover(try ClaimSet([claim], about: checked)).decide(0)
    #expect(verdict.word == "violated")
  }

  /// Values that share their parts: looking through them would take for ever.
  @Test(.long) func valuesOfVeryManyPartsAreUnsupported() throws {
    let value = String(repeating: "f(", count: 40) + "1" + String(repeating: ")", count: 40)
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        function f(x) { return [x, x]; }
        match /a/{b} { allow get: if \(value) == \(value); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    let request = Request(
      principal: nil, time: .epoch, operation: .get([DocumentPath(["a", "x"])]))
    #expect(throws: RequestProblem.self) {
      try Engine(checked).decide(request, on: Documents())
    }
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/a/{b}")), methods: MethodSet(.get),
      obligation: .never)
    let verdict = Prover(try ClaimSet([claim], about: checked)).decide(0)
    #expect(verdict.word == "undecided")
  }
}
