import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesSolver
@testable import RulesTesting
@testable import RulesVerify
@testable import rules_check_dev

/// Damaged, forged and hostile certificates.
@Suite struct ForgeryTests {
  /// All 100,000 by `rules-check differential --forgeries 100000`.
  @Test func whatIsConfirmedIsProved() {
    var campaign = ForgeryCampaign(seed: 14, size: 12)
    campaign.run(Wanted.number("FORGERIES", usually: 400, sample: 40))
    print(campaign.summary)
    #expect(campaign.wrong.isEmpty, "\(campaign.wrong.first ?? "")")
    #expect(campaign.confirmed > 0 && campaign.confirmed < campaign.made)
  }

  // MARK: Mistakes of the prover's compiler

  /// Claims that are false, and that the prover's compiler once made questions without an answer of:
  /// it took an expression for "always an error", or for never one.
  private static let mistakes: [(rules: String, claim: String)] = [
    (
      "allow read: if request.auth != null; allow get: if -resource.data.size() < 0;",
      #""methods": "get", "onlyIf": "request.auth != null""#
    ),
    (
      "allow read: if request.auth != null; allow get: if -resource.data.keys().size() < 0;",
      #""methods": "get", "onlyIf": "request.auth != null""#
    ),
    (
      "allow get: if (resource.data.keys().hasOnly(['a'].toSet()) ? true : true);",
      #""methods": "get", "given": "resource != null", "errors": false"#
    ),
    (
      "allow update: if request.resource.data.diff(resource.data).affectedKeys()"
        + ".difference(['a', 'b']).size() == 0;",
      #""methods": "update", "errors": false"#
    ),
    (
      "allow get: if resource.data.l.hasAny(['x'].toSet());",
      #""methods": "get", "given": "resource.data.l is list", "alwaysIf": "'x' in resource.data.l""#
    ),
    (
      "allow get: if {'a': resource.data.zz, 'a': 2}.a == 2;",
      #""methods": "get", "alwaysIf": "resource != null""#
    ),
  ]

  @Test(arguments: 0..<6) func aMistakeOfTheCompilerIsNotConfirmed(_ number: Int) throws {
    let (rules, claim) = Self.mistakes[number]
    let asked = try Asked(
      "match /c/{id} { \(rules) }", #"{"path": "/c/{id}", \#(claim)}"#)
    let stated = try StatedClaim(
      asked.claims.claims[0].claim, about: asked.rules, profile: .emulator)
    for kind in stated.kinds {
      // What the mistaken compiler wrote for each of them: nothing was left to show.
      #expect(
        refusal(of: ["question " + kind.line, "learn"], stated, asked)?.contains(
          "does not follow") == true)
      // A prover whose question is wrong: everything that is not looked into is an error, or is none.
      for isError in [true, false] {
        var mistaken = try stated.question(for: kind)
        for form in mistaken.forms {
          guard case .apply(.defined, let terms) = form, case .apply(let functor, _) = form else {
            continue
          }
          let isDefined = mistaken.holds(functor, of: terms)
          mistaken.require(isError ? !isDefined : isDefined)
        }
        // And one that takes for granted what it should show.
        for bold in [false, true] {
          if bold, let goal = mistaken.goals.first { mistaken.require(!goal) }
          let refutation = Refutation(of: mistaken, kind: kind, within: Budget())
          guard let lines = refutation?.lines(within: Budget()) else {
            continue
          }
          #expect(refusal(of: lines, stated, asked)?.contains("does not follow") == true)
        }
      }
    }
    var certificate = Certificate()
    let addition = certificate.add(
      stated.claim, about: asked.rules, rulesPath: "test.rules", profile: .emulator)
    if case .added = addition { Issue.record("there is a certificate of a false claim") }
  }

  /// Why steps are refused that are sealed as a certificate of a claim; nil if they are confirmed.
  private func refusal(of steps: [String], _ stated: StatedClaim, _ asked: Asked) -> String? {
    var certificate = Certificate()
    certificate.add(
      stated.claim, about: asked.rules, rulesPath: "test.rules",
      profile: .emulator, steps: steps)
    do throws(CertificateProblem) {
      for entry in try Certificate.read(certificate.bytes) {
        _ = try ProofChecker.check(entry, about: asked.rules)
      }
      return nil
    } catch {
      return error.message
    }
  }

  // MARK: Profiles

  @Test func aProofIsOneInItsProfileOnly() throws {
    let rules = "match /c/{id} { allow get: if debug(request.auth != null); }"
    let claim = #"{"path": "/c/{id}", "methods": "get", "alwaysIf": "request.auth != null"}"#
    let (asked, strict) = (try Asked(rules, claim), try Asked(rules, claim, profile: .strict))
    var certificate = Certificate()
    let addition = certificate.add(
      asked.claims.claims[0].claim, about: asked.rules, rulesPath: "r", profile: .emulator)
    guard case .added = addition, var entry = try Certificate.read(certificate.bytes).first else {
      Issue.record("\(addition)")
      return
    }
    #expect(try ProofChecker.check(entry, about: asked.rules) > 0)
    #expect(throws: CertificateProblem.self) { try ProofChecker.check(entry, about: strict.rules) }
    entry.profile = .strict
    #expect(throws: CertificateProblem.self) { try ProofChecker.check(entry, about: asked.rules) }
    #expect(throws: CertificateProblem.self) { try ProofChecker.check(entry, about: strict.rules) }
    #expect(strict.verdicts.map { $0.word } == ["violated"])
  }

  /// What a claim asks is asked in the profile of the rules, too.
  @Test func aClaimIsReadInItsProfile() throws {
    let rules = "match /c/{id} { allow get; }"
    let claims = [
      #""onlyIf": "debug(true)""#, #""never": true, "given": "debug(true)""#,
      #""alwaysIf": "debug(false) || true""#,
    ].map { #"{"path": "/c/{id}", "methods": "get", \#($0)}"# }.joined(separator: ", ")
    #expect(
      try Asked(rules, claims).verdicts.map { $0.word } == ["proved", "violated", "proved"])
    #expect(
      try Asked(rules, claims, profile: .strict).verdicts.map { $0.word }
        == ["violated", "vacuous", "proved"])
  }

  // MARK: Facts

  /// What some request is like, and what was once confirmed not to be, or could have been.
  private static let possible = [
    // A vector is the list of its numbers in sets and `diff()`, and nowhere else.
    "update: N.diff(D).affectedKeys().size() == 0 && N.v is list && D.v is vector",
    "update: N.diff(D).unchangedKeys().hasAll(['v']) && N.v is list && D.v is vector",
    "get: [D.v].toSet() == [D.w].toSet() && D.v is vector && D.w is list",
    "get: D.w in [D.v].toSet() && D.v is vector && D.w is list",
    // A set compares its elements by an equality of its own, also with those of a list.
    "get: [1].toSet().hasOnly(D.l) && D.l == [1.0]",
    "get: [D.x].toSet().hasOnly(D.l) && D.l == [1.0] && D.x == 1 && D.x is int",
    "get: [D.x].toSet().hasAny(D.l) && D.l == [1.0] && D.x == 1 && D.x is int",
    "get: [D.x].toSet().hasAll(D.l) && D.l == [1.0] && D.x == 1 && D.x is int",
    // Values come in the order in which they were written.
    "update: N.m == D.m && N.m.values() != D.m.values()",
    "get: {'a': 1, 'b': 2}.values() != {'b': 2, 'a': 1}.values()",
    "get: D == {'a': 1, 'b': 2} && D.values() != [1, 2]",
    "update: N == {'b': 1, 'a': 2} && N.values() != [1, 2]",
    "update: N == {'b': 1, 'a': 2} && N.values() != [2, 1]",
    // A character of two units, and half of one.
    "get: D.s.size() == 2 && D.s.matches('.')",
    "get: D.s[0:1].matches('[\\\\x{d800}-\\\\x{dfff}]')",
    "get: !D.s[0:2].matches('[\\\\x{0}-\\\\x{d7ff}\\\\x{e000}-\\\\x{10ffff}]*')",
    "get: D.s[0:1] == '\u{1F600}'[0:1] && D.s[0:1].matches('[\\\\x{d800}-\\\\x{dfff}]')",
    // What filters imply.
    "list: D.f is constraint && D.f != null", "list: D.f is constraint && D.f != [1]",
  ]

  @Test(arguments: possible) func whatIsPossibleIsNotRefuted(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1).map { String($0) }
    var condition = ""
    for word in parts[1].split(separator: " ", omittingEmptySubsequences: false) {
      condition +=
        " "
        + word.replacing("D.", with: "resource.data.")
        .replacing("N.", with: "request.resource.data.")
        .replacing("(D)", with: "(resource.data)")
    }
    condition = condition.replacing(" D ", with: " resource.data ")
      .replacing(" N ", with: " request.resource.data ")
    let asked = try Asked(
      "match /c/{id} { allow \(parts[0]): if\(condition); }",
      #"{"path": "/c/{id}", "methods": "\#(parts[0])", "never": true}"#)
    var certificate = Certificate()
    let addition = certificate.add(
      asked.claims.claims[0].claim, about: asked.rules, rulesPath: "r", profile: .emulator)
    if case .added = addition { Issue.record("it is confirmed that this is impossible") }
  }

  // MARK: Headers

  @Test(arguments: [
    ("methods fetch", "there is no method `fetch`"), ("methods ", "a method is missing"),
    ("methods", "a method is missing"), ("methods get get", "`get` is repeated"),
    ("methods get fetch", "there is no method `fetch`"),
    ("methods read", "there is no method `read`"),
  ])
  func methodsAreKnownWordsEachOnce(_ line: String, _ expected: String) {
    let text = """
      rules-check certificate 2
      rules r
      sha256 0
      profile emulator
      claim anything
      path /c/{id}
      \(line)
      never

      """
    let end = "end " + Certificate.digits(SHA256.hash(Array(text.utf8))) + "\n"
    do throws(CertificateProblem) {
      _ = try Certificate.read(Array((text + end).utf8))
      Issue.record("\(line) is accepted")
    } catch {
      #expect(error.message == expected)
      #expect(error.line == 7)
    }
  }

  // MARK: Hostile certificates

  @Test(arguments: [
    "learn 99999999999999999999999999999999999999999999",
    "learn -170141183460469231731687303715884105728", "learn 0", "rule sum int 0 0 0 1 -1",
    "rule point 1 int 170141183460469231731687303715884105727",
    "term constant int:99999999999999999999",
    "rule text 0", "rule inside", "rule types 0", "atom most 1 int 5", "gate 1 2 3", "rule float 1",
    "term apply has", "rule", "", " ", "term", "atom same",
  ])
  func hostileStepsAreRefusedOrOfNoUse(_ line: String) throws {
    #expect(try refusal(of: [line, "learn"]) != nil)
  }

  @Test func veryDeepAndVeryManyTermsAreRefused() throws {
    let deep = "term constant " + String(repeating: "list(", count: 100_000)
    #expect(try refusal(of: [deep, "learn"]) != nil)
    let many = Array(repeating: "term constant int:1", count: 20_000)
    #expect(try refusal(of: many + ["learn"])?.contains("does not follow") == true)
  }

  /// Returns why steps about a false claim are refused; nil if they are confirmed.
  private func refusal(of steps: [String]) throws -> String? {
    let asked = try Asked(
      "match /c/{id} { allow get: if request.auth != null; }",
      #"{"path": "/c/{id}", "methods": "get", "never": true}"#)
    let stated = try StatedClaim(
      asked.claims.claims[0].claim, about: asked.rules, profile: .emulator)
    return refusal(of: ["question " + stated.kinds[0].line] + steps, stated, asked)
  }
}
