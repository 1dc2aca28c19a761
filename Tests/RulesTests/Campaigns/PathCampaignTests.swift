import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting
@testable import RulesVerify

/// Verdicts about paths of any length, by the search alone, beside requests for paths of all lengths up
/// to six segments more than anything in the rules has; the evaluator decides.
///
/// `PATH_CASES=20000 PATH_SEED=7 swift test --filter PathCampaignTests` asks about more.
@Suite struct PathCampaignTests {
  private static let cases = Wanted.number("PATH_CASES", usually: 120, sample: 20)
  private static let seed = Wanted.seed("PATH_SEED")
  private static let requests = Wanted.cases(60, of: 300)

  /// What came of the cases.
  private struct Tally {
    var counts: [String: Int] = [:]
    var wrong: [String] = []

    mutating func count(_ word: String) { counts[word, default: 0] += 1 }

    var text: String {
      counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
  }

  // MARK: Claims

  @Test func noRequestOfAnyLengthRefutesAClaimThatIsProved() throws {
    var tally = Tally()
    for number in 0..<Self.cases { try Self.judge(number, &tally) }
    print("path claims: \(tally.text) (seed \(Self.seed))")
    #expect(tally.wrong.isEmpty, "\(tally.wrong.count): \(tally.wrong.first ?? "")")
    #expect(tally.counts["proved", default: 0] > Self.cases / 20)
    #expect(tally.counts["violated", default: 0] > Self.cases / 5)
    #expect(tally.counts["undecided", default: 0] < Self.cases / 2)
  }

  private static func judge(_ number: Int, _ tally: inout Tally) throws {
    var maker = PathMaker(dice: Dice(seed: seed, UInt64(number)))
    let text = maker.rules().joined(separator: "\n")
    guard let checked = Checker.check(SourceText(name: "r", text)).checked,
      let (claim, pattern) = maker.claim(),
      let set = try? ClaimSet([claim], about: checked)
    else { return tally.count("no question") }
    let verdict = Prover(set, validation: ValidationPolicy(attacks: false)).decide(
      0, shrinking: false)
    tally.count(verdict.word)
    let note = "case \(number): \(text)\n\(claim)"
    if case .violated = verdict { return }
    let compiled = set.claims[0]
    for _ in 0..<requests {
      let method = maker.dice.pick(compiled.methods)
      guard let candidate = maker.candidate(method, pattern, maker.longest + pattern.count + 6)
      else {
        continue
      }
      switch verdict {
      case .violated: break
      case .proved, .vacuous:
        if let found = set.refutation(by: candidate, of: compiled) {
          // That nothing is for the documents is no statement about what is denied.
          let isTried = !found.decision.tried.isEmpty
          if case .vacuous = verdict, case .alwaysIf = claim.obligation, !isTried { break }
          let request = JSONText(found.test).compact
          return tally.wrong.append("\(note)\nrefuted by \(request)")
        }
      case .undecided:
        if set.refutation(by: candidate, of: compiled) != nil {
          return tally.count("undecided and refuted")
        }
      }
      if case .proved(let proof) = verdict, proof.grantsNothing,
        set.isInScope(candidate, of: compiled, isMet: true)
      {
        return tally.wrong.append("\(note)\ngrants something: \(candidate)")
      }
      if case .vacuous(let vacuity) = verdict, case .emptyScope = vacuity.cause,
        set.isInScope(candidate, of: compiled, isMet: false)
      {
        return tally.wrong.append("\(note)\nin scope: \(candidate)")
      }
    }
    if case .proved = verdict { certify(claim, set, checked, &tally) }
  }

  private static func certify(
    _ claim: Claim, _ set: ClaimSet, _ rules: Checked, _ tally: inout Tally
  ) {
    var certificate = Certificate()
    switch certificate.add(claim, about: rules, rulesPath: "r", profile: .emulator) {
    case .added: tally.count("with a certificate")
    case .refused: tally.count("without a certificate")
    }
  }

  // MARK: The checker's questions

  /// A request of any length that refutes a claim is a model of the question of its kind.
  @Test func requestsOfAllLengthsAreModelsOfTheCheckersQuestions() throws {
    var tally = Tally()
    for number in 0..<Self.cases {
      var maker = PathMaker(dice: Dice(seed: Self.seed, UInt64(number), 3))
      let text = maker.rules().joined(separator: "\n")
      guard let checked = Checker.check(SourceText(name: "r", text)).checked,
        let (claim, pattern) = maker.claim(),
        let set = try? ClaimSet([claim], about: checked),
        let stated = try? StatedClaim(claim, about: checked, profile: .emulator)
      else { continue }
      var questions: [RequestKind: Question] = [:]
      for kind in stated.kinds { questions[kind] = try? stated.question(for: kind) }
      for _ in 0..<24 {
        let method = maker.dice.pick(set.claims[0].methods)
        guard let candidate = maker.candidate(method, pattern, maker.longest + pattern.count + 6),
          (candidate.method == .create) == (candidate.before == nil && candidate.after != nil),
          let kind = Self.kind(of: candidate, stated), let question = questions[kind],
          var world = QuestionInterpretation(
            question, naming: stated.rules.namedKeys, candidate.request, on: candidate.documents,
            of: candidate.path, in: stated.rules.database,
            open: kind.isOpen ? (kind.path.count, Self.cut(of: stated)) : nil)
        else { continue }
        let refutes = set.refutation(by: candidate, of: set.claims[0]) != nil
        if let problem = Self.problem(&world, refutes, &tally) {
          tally.wrong.append(
            "case \(number), \(kind.line): \(problem)\n\(candidate)\n\(claim)\n\(text)")
        }
      }
    }
    print("path questions: \(tally.text) (seed \(Self.seed))")
    #expect(tally.wrong.isEmpty, "\(tally.wrong.count): \(tally.wrong.first ?? "")")
    #expect(tally.counts["refuted", default: 0] > Self.cases / 2)
  }

  /// The place of the segment that stands for the further ones of longer paths: no pattern has as many
  /// before `{x=**}`.
  private static func cut(of stated: StatedClaim) -> Int {
    let root = DatabaseName.rootCount
    let heads = stated.rules.matches.map { match in
      (match.pattern.firstIndex { $0.isGlob } ?? root) - root
    }
    let own = stated.claim.path.steps.firstIndex { $0.isGlob } ?? 0
    return max(heads.max() ?? 0, own)
  }

  /// The kind of a request among those of a claim.
  private static func kind(of candidate: CandidateRequest, _ stated: StatedClaim) -> RequestKind? {
    let count = candidate.path.segments.count
    return stated.kinds.first { kind in
      guard kind.method == candidate.method,
        kind.path.count == count || kind.isOpen && kind.path.count < count
      else { return false }
      switch (candidate.access, kind.access) {
      case (.document, .document), (.query, .query), (.namedQuery, .namedQuery): return true
      case (.group(let one), .group(let other)):
        // Further levels are further segments.
        return one == other || kind.isOpen && one > other && other >= cut(of: stated)
      default: return false
      }
    }
  }

  private static func problem(
    _ world: inout QuestionInterpretation, _ refutes: Bool, _ tally: inout Tally
  ) -> String? {
    let nodes = world.propositions()
    tally.count("compared")
    if refutes { tally.count("refuted") }
    func holds(_ prop: Prop) -> Bool? { nodes[prop.node].map { $0 != prop.isDenied } }
    let goals = Set(world.question.goals)
    for axiom in world.question.axioms where !goals.contains(axiom) && holds(axiom) == false {
      return "an axiom does not hold: \(world.describe(axiom))"
    }
    if world.question.goals.contains(where: { holds($0) == false }) {
      return refutes ? "it refutes the claim, and is no model" : nil
    }
    if world.question.goals.contains(where: { holds($0) == nil }) { tally.count("unsure") }
    return nil
  }

  // MARK: Comparisons

  @Test func whatIsEquivalentIsDecidedAlikeAtEveryLength() throws {
    var tally = Tally()
    for number in 0..<Self.cases {
      var maker = PathMaker(dice: Dice(seed: Self.seed, UInt64(number), 5))
      let lines = maker.rules()
      var others = lines
      let places = lines.indices.filter { lines[$0].hasPrefix("allow") }
      let place = maker.dice.pick(places)
      let head = lines[place].prefix { $0 != ":" }
      others[place] =
        maker.dice.chance(40) ? "" : "\(head): if \(maker.condition(maker.patterns[0]));"
      guard let old = Checker.check(SourceText(name: "old", lines.joined(separator: "\n"))).checked,
        let new = Checker.check(SourceText(name: "new", others.joined(separator: "\n"))).checked
      else { continue }
      let comparison = RulesComparison(
        from: Engine(old), to: Engine(new), validation: ValidationPolicy(attacks: false))
      guard case .nothing = comparison.effect() else {
        tally.count("different or open")
        continue
      }
      tally.count("equivalent")
      let methods: [RulesLang.Method] = [.get, .list, .create, .update, .delete]
      for _ in 0..<Self.requests {
        guard let candidate = maker.candidate(maker.dice.pick(methods), nil, maker.longest + 6),
          let one = try? comparison.old.decide(candidate.request, on: candidate.documents),
          let other = try? comparison.new.decide(candidate.request, on: candidate.documents)
        else { continue }
        if one.isAllowed != other.isAllowed {
          tally.wrong.append(
            "case \(number): \(lines.joined(separator: "\n"))\n\(others[place])\n\(candidate)")
          break
        }
      }
    }
    print("path comparisons: \(tally.text) (seed \(Self.seed))")
    #expect(tally.wrong.isEmpty, "\(tally.wrong.count): \(tally.wrong.first ?? "")")
    #expect(tally.counts["equivalent", default: 0] > Self.cases / 20)
  }
}
