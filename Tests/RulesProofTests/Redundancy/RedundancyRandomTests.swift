import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Random rules files: what is proved to decide nothing is tried on every request of a tiny world.
/// `RULES_CHECK_DEEP` sets how many files, `RULES_CHECK_SEED` where they begin.
@Suite struct RedundancyRandomTests {
  private static let world = TinyWorld()

  @Test func everyFindingHoldsForEveryRequest() throws {
    let count = Wanted.number("RULES_CHECK_DEEP", usually: 25, sample: 5)
    let first = Wanted.seed("RULES_CHECK_SEED")
    var tally: [String: Int] = [:]
    for seed in first..<(first + UInt64(count)) {
      var maker = PairMaker(seed: seed)
      try Self.judge(maker.pair().new, seed, &tally)
    }
    let counts = tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("deep: \(count) random files: \(counts.joined(separator: ", "))")
    for kind in ["dead-allow", "covered-allow", "redundant-condition", "redundant-guard"] {
      #expect(tally[kind, default: 0] > 0, "\(kind) is never found")
    }
    #expect(tally["open", default: 0] * 50 < tally["questions", default: 0])
  }

  private static func judge(_ text: String, _ seed: UInt64, _ tally: inout [String: Int]) throws {
    let outcome = Checker.check(SourceText(name: "random.rules", text))
    let rules = try #require(outcome.checked, "\(text)")
    let engine = Engine(rules)
    var search = RedundancySearch(engine)
    let report = search.run()
    tally["questions", default: 0] += report.questions
    tally["open", default: 0] += report.openCount
    for finding in report.findings {
      let said = report.diagnostic(of: finding, in: rules)
      tally[said.code.name, default: 0] += 1
      let note = "seed \(seed): \(said.message)\n\(text)"
      #expect(try refutes(finding, search, engine) == false, "\(note)")
      // What is said of errors holds once what was found before is gone.
      if case .changesNothing = finding.kind, report.findings.count == 1 {
        #expect(!failsMore(engine, try without(finding, search)), "\(note)")
        tally["errors compared", default: 0] += 1
      }
    }
    // All of them together, as text.
    var repair = RedundancyRepair(engine)
    let removable = report.findings.filter { $0.removal != nil }
    let parts = repair.remove(removable)
    tally["removed", default: 0] += parts.count
    if parts.count < removable.count {
      // Only a block that would be left empty may keep what is redundant.
      #expect(
        text.contains("allow") && repair.rules.ruleset.allows.count == 1, "seed \(seed)\n\(text)")
    }
    #expect(!differs(engine, Engine(repair.rules)), "seed \(seed)\n\(text)")
  }

  /// Whether a request shows that a finding is wrong.
  private static func refutes(
    _ finding: RedundancyFinding, _ search: RedundancySearch, _ engine: Engine
  ) throws -> Bool {
    let rules = engine.rules
    switch finding.kind {
    case .neverGrants(let allow, let methods):
      let alone = try #require(search.trial.engine(rules.keeping([allow])))
      return grants(alone, methods) { _ in true }
    case .isBeyondLimit(let allow, _):
      return grants(engine, rules.methods[allow.index]) { $0.tried.last?.allow == allow }
    case .needsAnError(let allow, let methods):
      let alone = try #require(search.trial.engine(rules.keeping([allow])))
      return grants(alone, methods) { decision in
        !decision.tried.contains { $0.trace?.events.contains { $0.outcome.isError } ?? false }
      }
    case .isCovered(let allow, let methods):
      let coverers = rules.ruleset.allows.indices.map { AllowID($0) }.filter { other in
        finding.core.contains { $0.range == rules.ruleset[other].operationsRange }
      }
      let these = try #require(search.trial.engine(rules.keeping(coverers)))
      let limited = rules.keeping(coverers + [allow])
        .with(rules.limiting(allow, to: methods), of: rules.ruleset)
      return differs(these, try #require(search.trial.engine(limited)))
    case .changesNothing:
      let changed = try without(finding, search)
      return differs(engine, changed)
    case .alwaysHolds, .changesNoDecision, .parameter:
      return differs(engine, try without(finding, search))
    }
  }

  private static func without(_ finding: RedundancyFinding, _ search: RedundancySearch) throws
    -> Engine
  {
    let removal = try #require(finding.removal)
    let text = search.text.asWritten([removal]).applied(to: search.rules.ruleset.source)
    return Engine(try #require(search.rules.checkAgain(text).checked))
  }

  /// Whether a request with some methods is granted, and its decision is as asked.
  private static func grants(
    _ engine: Engine, _ methods: MethodSet, _ isBad: (Decision) -> Bool
  ) -> Bool {
    world.requests.contains { method, request, documents in
      guard methods.contains(method),
        let decision = try? engine.decide(request, on: documents, tracing: true)
      else { return false }
      return decision.isAllowed && isBad(decision)
    }
  }

  /// Whether a request meets an error in the newer rules only.
  private static func failsMore(_ old: Engine, _ new: Engine) -> Bool {
    world.requests.contains { _, request, documents in
      guard let before = try? old.decide(request, on: documents),
        let after = try? new.decide(request, on: documents)
      else { return false }
      return after.tried.contains { $0.isFailed } && !before.tried.contains { $0.isFailed }
    }
  }

  private static func differs(_ old: Engine, _ new: Engine) -> Bool {
    world.requests.contains { _, request, documents in
      guard let before = try? old.decide(request, on: documents).isAllowed,
        let after = try? new.decide(request, on: documents).isAllowed
      else { return false }
      return before != after
    }
  }
}

extension Outcome {
  fileprivate var isError: Bool {
    if case .error = self { return true }
    return false
  }
}

extension Tried {
  fileprivate var isFailed: Bool {
    if case .failed = result { return true }
    return false
  }
}
