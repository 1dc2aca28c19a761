import RulesEncoding
package import RulesEval
import RulesLang
package import RulesSolver

// Changes are made of what there is: the fields that a counterexample changes, the condition of the
// claim, the methods of a statement. Each adds a conjunct to a statement that a counterexample passes, or
// takes a method from it, until there is no counterexample.
//
// Sound: what is proposed was decided like any rules. The claim is proved of it, every test passes that
// passed before, and a comparison shows that it allows nothing new and what it denies.

/// Looks for small changes of rules under which a claim is proved.
package struct RepairSearch {
  private let engine: Engine
  private let claim: Claim
  private let suite: Suite?
  private let now: Timestamp
  private let question: () -> Budget

  /// No more statements are changed for one repair.
  private static let greatestRounds = 4

  /// Prepares for a claim about rules; `suite` has the tests that must go on to pass, `question` makes the
  /// budget of each attempt.
  package init(
    _ engine: Engine, claim: Claim, suite: Suite?, at now: Timestamp,
    asking question: @escaping () -> Budget
  ) {
    self.engine = engine
    self.claim = claim
    self.suite = suite
    self.now = now
    self.question = question
  }

  /// The repairs, those that leave most of the statements as it is first.
  package func repairs(of found: Counterexample) -> [Repair] {
    var repairs: [Repair] = []
    for kind in StatementChange.Kind.allCases {
      guard let repair = repair(of: found, by: kind),
        !repairs.contains(where: { $0.rules.bytes == repair.rules.bytes })
      else { continue }
      repairs.append(repair)
    }
    return repairs
  }

  private func repair(of found: Counterexample, by kind: StatementChange.Kind) -> Repair? {
    var engine = engine
    var found = found
    var changes: [String] = []
    for _ in 0..<Self.greatestRounds {
      let culprit = found.steps.first ?? found
      guard let change = StatementChange(kind, against: culprit, of: claim, in: engine.rules),
        let checked = Checker.check(change.rules, profile: engine.profile).checked
      else { return nil }
      changes.append(change.sentence)
      engine = Engine(checked, profile: engine.profile)
      guard let set = try? ClaimSet([claim], about: checked, profile: engine.profile) else {
        return nil
      }
      var prover = Prover(set, within: question())
      prover.accepted = suite?.documents ?? Documents()
      switch prover.decide(0) {
      case .proved: return accepted(engine, changes: changes)
      case .violated(let next): found = next
      case .undecided, .vacuous: return nil
      }
    }
    return nil
  }

  /// What the changed rules come to; nil if they allow more than before, or a test fails.
  private func accepted(_ changed: Engine, changes: [String]) -> Repair? {
    for test in suite?.tests ?? [] {
      guard engine.run(test, documents: suite?.documents ?? Documents(), now: now).isPassed else {
        continue
      }
      let result = changed.run(test, documents: suite?.documents ?? Documents(), now: now)
      if !result.isPassed { return nil }
    }
    var takesAway: [String] = []
    var comparison = RulesComparison(from: engine, to: changed, within: question())
    comparison.saysWhoCan = false
    for path in comparison.run() {
      for method in path.methods {
        switch method.verdict {
        case .tightened, .equivalent: if method.mayBeLoosened { return nil }
        case .loosened, .changed, .undecided: return nil
        }
      }
      takesAway += path.differences.map { $0.sentence(path.path) }
    }
    let (old, new) = (engine.rules.ruleset.source, changed.rules.ruleset.source)
    let known = Set(old.lines)
    return Repair(
      rules: new, change: changes.joined(separator: "; "),
      lines: new.lines.filter { !known.contains($0) }, takesAway: takesAway)
  }
}

extension SourceText {
  /// The lines without their breaks and the blanks around them.
  fileprivate var lines: [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "\n").map { line in
      String(line.drop { $0 == " " }.reversed().drop { $0 == " " || $0 == "\r" }.reversed())
    }
  }
}
