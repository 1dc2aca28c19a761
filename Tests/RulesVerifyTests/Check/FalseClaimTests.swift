import Foundation
import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting
@testable import RulesVerify

/// Claims that are false, each with a request that shows it: neither the prover may prove one, with
/// nobody to attack what it says, nor may there be a certificate of one.
///
/// They stand in `Golden/FalseClaims`. A case is a line `== What is true`, perhaps `profile NAME`, a
/// `claim`, perhaps the `documents`, the `test` whose outcome refutes the claim, and the rules: a file,
/// or what is inside `match /databases/{database}/documents`. There `D` is short for `resource.data`,
/// `N` for `request.resource.data` and `DB/` for `/databases/$(database)/documents/`.
@Suite struct FalseClaimTests {
  /// One case.
  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    var profile = Profile.emulator
    var claim = ""
    var documents = "{}"
    var test = ""
    var rules = ""

    var testDescription: String { title }
  }

  private static let cases = ["errors", "paths", "globs", "commits", "queries", "values"].flatMap {
    read($0)
  }

  private static func read(_ name: String) -> [Case] {
    let file = Golden.folder("FalseClaims").appendingPathComponent(name + ".txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    var cases: [Case] = []
    for line in text.split(separator: "\n").map({ String($0) }) where !line.hasPrefix("#") {
      if line.hasPrefix("== ") {
        cases.append(Case(title: String(line.dropFirst(3))))
        continue
      }
      guard var last = cases.popLast() else { continue }
      let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
      switch words[0] {
      case "profile": last.profile = Profile(rawValue: words[1]) ?? .emulator
      case "claim": last.claim = words[1]
      case "documents": last.documents = words[1]
      case "test": last.test = words[1]
      default: last.rules += written(out: line) + "\n"
      }
      cases.append(last)
    }
    return cases
  }

  private static func written(out line: String) -> String {
    let words = [
      (#/\bDB\//#, "/databases/$(database)/documents/"), (#/\bD\b/#, "resource.data"),
      (#/\bN\b/#, "request.resource.data"),
    ]
    return words.reduce(line) { $0.replacing($1.0.wordBoundaryKind(.simple), with: $1.1) }
  }

  @Test(arguments: cases) func whatARequestRefutesIsNotProved(_ one: Case) throws {
    let rules =
      one.rules.contains("service ")
      ? one.rules
      : "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n"
        + one.rules + "} }"
    let outcome = Checker.check(SourceText(name: "false.rules", rules), profile: one.profile)
    let checked = try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })")
    let text = """
      {"users": {"u": "u"}, "documents": \(one.documents), "tests": [\(one.test)],
       "claims": [\(one.claim)]}
      """
    let (read, diagnostics) = SuiteReader.read(SourceText(name: "false.suite.json", text))
    try #require(diagnostics.isEmpty, "\(diagnostics.map { $0.message }) \(text)")
    let suite = try #require(read)
    // The request does what the claim says that none does.
    let engine = Engine(checked, profile: one.profile)
    let result = engine.run(suite.tests[0], documents: suite.documents, now: .epoch)
    guard result.failures.isEmpty, let decision = result.decision else {
      Issue.record("the request shows nothing: \(result.failures) \(rules)")
      return
    }
    switch suite.claims[0].obligation {
    case .never, .onlyIf: #expect(decision.isAllowed)
    case .alwaysIf: #expect(!decision.isAllowed)
    case .noErrors: #expect(decision.tried.contains { $0.isError })
    }
    let set = try ClaimSet(suite.claims, about: checked, profile: one.profile)
    let verdict = Prover(set, validation: ValidationPolicy(attacks: false)).decide(0)
    #expect(
      ["violated", "undecided"].contains(verdict.word), "\(verdict.word) by the prover: \(rules)")
    if verdict.word != "violated" { print("\(verdict.word): \(one.title)") }
    var certificate = Certificate()
    let addition = certificate.add(
      suite.claims[0], about: checked, rulesPath: "false.rules", profile: one.profile)
    if case .added = addition { Issue.record("there is a certificate: \(rules)") }
  }
}
