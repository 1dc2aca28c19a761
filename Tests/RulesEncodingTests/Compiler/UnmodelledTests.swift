import RulesEval
import RulesLang
import RulesVerify
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesSolver
@testable import RulesTesting

/// Where the evaluator has no answer, neither a value nor an error, nothing is proved by that: the
/// construct is named. The evaluator compiles such a pattern each time, so no requests are made here.
@Suite struct UnmodelledTests {
  /// A pattern that is too large.
  private static let pattern = "'((a{1,1000}){1,1000}){1,1000}'"

  private static func engine(_ statements: String) throws -> Engine {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { match /c/{id} {
      \(statements)
      } } }
      """
    return Engine(try #require(Checker.check(SourceText(name: "r", text)).checked))
  }

  private static func set(
    _ statements: String, _ obligation: Claim.Obligation, given: String? = nil
  ) throws -> ClaimSet {
    var claim = Claim(
      name: "c", path: try #require(ClaimPath("/c/{id}")), methods: MethodSet(.get),
      obligation: obligation)
    claim.given = given.map { Claim.Condition(Text($0)) }
    return try ClaimSet([claim], about: try engine(statements).rules)
  }

  /// Conditions with what nobody knows in them.
  static let open = [
    "id == 'aaaa' && id.matches(\(pattern))", "'aaa'.matches(\(pattern))",
    "!('aaa'.matches(\(pattern)))", "id.split(\(pattern)).size() == 0 && id == 'x'",
    "id.replace(\(pattern), 'a') == 'b' && id == 'x'",
    "resource.data.p == \(pattern) && id.matches(resource.data.p)",
    "'a'.split(\(pattern)) == ['b']",
  ]

  @Test(arguments: open.prefix(Wanted.cases(1, of: open.count)))
  func nothingIsSaidOfWhatIsGranted(_ condition: String) throws {
    for obligation: Claim.Obligation in [
      .never, .onlyIf(Claim.Condition("id == 'b'")), .noErrors,
      .alwaysIf(Claim.Condition("id == 'aaaa' && resource.data.p == 'a'")),
    ] {
      let set = try Self.set("allow get: if \(condition);", obligation)
      let verdict = Prover(set, validation: ValidationPolicy(attacks: false)).decide(0)
      guard case .undecided(let openReasons) = verdict else {
        // That what is false is not granted is no matter of what is not known.
        if case .alwaysIf = obligation, case .violated = verdict { continue }
        // Nor is a document that has no such field.
        if condition.contains("resource"), case .violated = verdict { continue }
        Issue.record("\(obligation) \(condition.prefix(60)): \(verdict.word)")
        continue
      }
      #expect(openReasons.allSatisfy { $0.replay == nil && $0.range != nil }, "\(openReasons)")
    }
  }

  /// Whatever it is, and be it an error: that is something else than no answer.
  @Test(
    .long, arguments: ["id.matches(\(pattern)) || true", "'a'.split(\(pattern)) == ['b'] || true"])
  func whatIsAlwaysGrantedMustBeDecided(_ condition: String) throws {
    for obligation: Claim.Obligation in [.noErrors, .alwaysIf(Claim.Condition("true"))] {
      let set = try Self.set("allow get: if \(condition);", obligation)
      guard case .undecided = Prover(set, validation: ValidationPolicy(attacks: false)).decide(0)
      else {
        Issue.record("\(obligation) \(condition.prefix(60))")
        continue
      }
      // Nor does the checker of certificates put such a question.
      #expect(throws: StatementProblem.self) {
        let stated = try StatedClaim(
          set.claims[0].claim, about: try Self.plain(condition), profile: .emulator)
        for kind in stated.kinds { _ = try stated.question(for: kind) }
      }
    }
  }

  private static func plain(_ condition: String) throws -> Checked {
    try engine("allow get: if \(condition);").rules
  }

  /// Two texts that are too long together.
  @Test func aTextThatIsTooLong() {
    let half = Value.string(Text(decoding: [UInt8](repeating: 97, count: Text.maximumSize)))
    let (short, number) = (Value.string("a"), Value.int(1))
    #expect(Facts.truth(of: .definedOperation(.add), [half, half]) == nil)
    #expect(Facts.truth(of: .definedOperation(.add), [short, short]) == true)
    #expect(Facts.truth(of: .definedOperation(.add), [short, number]) == false)
    #expect(Functor.defined(.binary(.add)).value(of: [half, half]) == nil)
    for (one, other, isDefined) in [(short, short, true), (short, number, false)] {
      guard case .bool(isDefined) = Functor.defined(.binary(.add)).value(of: [one, other]) else {
        Issue.record("\(one) + \(other)")
        continue
      }
    }
  }

  /// What is granted only if something else holds, too, is proved all the same.
  @Test func whatElseIsAskedIsProved() throws {
    for condition in Self.open.prefix(1) {
      let set = try Self.set(
        "allow get: if (\(condition)) && request.auth != null;",
        .onlyIf(Claim.Condition("request.auth != null")))
      #expect(
        Prover(set, validation: ValidationPolicy(attacks: false)).decide(0).word == "proved",
        "\(condition.prefix(60))")
    }
  }

  @Test(arguments: open.prefix(1))
  func claimsThatAskForItAreOpen(_ condition: String) throws {
    let only = try Self.set("allow get: if true;", .onlyIf(Claim.Condition(Text(condition))))
    let given = try Self.set("allow get: if true;", .never, given: condition)
    let always = try Self.set("allow get: if false;", .alwaysIf(Claim.Condition(Text(condition))))
    for set in [only, given, always] {
      let verdict = Prover(set, validation: ValidationPolicy(attacks: false)).decide(0)
      // Of parts that can be decided a request can show that the claim does not hold.
      if case .violated(let found) = verdict {
        #expect(try set.engine.decide(found.request, on: found.documents).isAllowed, "\(condition)")
        #expect(condition.contains("&&"), "\(condition.prefix(60))")
        continue
      }
      #expect(verdict.word == "undecided", "\(condition.prefix(60))")
    }
  }

  // MARK: Other questions

  @Test(.long, arguments: open.prefix(1))
  func otherQuestionsStayOpen(_ condition: String) throws {
    let statement = "allow get: if \(condition);"
    let (old, new) = (try Self.engine(statement), try Self.engine("allow get: if false;"))
    let paths = RulesComparison(from: old, to: new).run()
    #expect(paths.flatMap { $0.methods }.contains { $0.verdict == .undecided }, "diff \(condition)")
    let matrix = Auditor(old.rules).matrix()
    let row = try #require(matrix.paths.first?.rows.first { $0.operation == .get })
    #expect(row.cells.allSatisfy { $0.answer == .undecided }, "audit \(condition)")
    var search = RedundancySearch(old, validation: ValidationPolicy(attacks: false))
    let report = search.run()
    #expect(report.findings.isEmpty && !report.open.isEmpty, "check --deep \(condition)")
    guard case .unknown = OutcomeSearch(old).request(for: AllowID(0), with: .granted) else {
      Issue.record("init --full \(condition)")
      return
    }
  }
}
