import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesSolver

/// Runs suites on changed rules.
struct MutationRun {
  /// What one proof may cost, and all of them about one file.
  let limits: QuestionLimits
  /// Whose behaviour is followed.
  let profile: Profile
  private let now = Clock.now

  init(limits: QuestionLimits, profile: Profile) {
    self.limits = limits
    self.profile = profile
  }

  /// What became of one change.
  enum Fate {
    /// A test notices it.
    case killed(String)
    /// A request is decided otherwise, and no test says so.
    case survived(DiffWitness, isLoosened: Bool)
    /// No request is decided otherwise; proved.
    case equivalent
    /// No test notices it, and it is not known whether any could.
    case unknown
    /// It does not compile.
    case invalid
  }

  /// A change with what became of it.
  struct Mutant {
    var edit: RulesEdit
    var fate: Fate

    /// Whether only an attack showed that it changes a decision.
    var isMissed: Bool {
      if case .survived(let witness, _) = fate { return witness.missed != nil }
      return false
    }
  }

  /// The changes of one rules file.
  struct File {
    var group: MutationSuites.Group
    var mutants: [Mutant]
    var nanoseconds: UInt64
  }

  /// Changes the rules in every way, one at a time.
  func run(_ group: MutationSuites.Group) -> File {
    let start = Clock.nanoseconds
    let engine = Engine(group.rules, profile: profile)
    let whole = limits.whole()
    // A test that fails anyway notices nothing.
    var tests: [(test: Test, documents: Documents)] = []
    for suite in group.suites {
      for test in suite.tests where !whole.isSpent {
        let result = engine.run(test, documents: suite.documents, now: now)
        whole.charge(for: result.decision, by: engine)
        if result.isPassed { tests.append((test, suite.documents)) }
      }
    }
    let attack = Attack(engine)
    let mutants = group.rules.ruleset.mutants().map { edit in
      let question = limits.question(of: whole)
      defer { question.settle() }
      return Mutant(edit: edit, fate: fate(of: edit, engine, tests, attack, question))
    }
    return File(group: group, mutants: mutants, nanoseconds: Clock.nanoseconds - start)
  }

  private func fate(
    of edit: RulesEdit, _ engine: Engine, _ tests: [(test: Test, documents: Documents)],
    _ attack: Attack, _ question: Budget
  ) -> Fate {
    if question.isSpent { return .unknown }
    question.chargeChecking(engine.rules)
    guard let changed = engine.applying(edit) else { return .invalid }
    for (test, documents) in tests {
      // The tests that are left might notice it.
      if question.isSpent { return .unknown }
      let result = changed.run(test, documents: documents, now: now)
      question.charge(for: result.decision, by: changed)
      if !result.isPassed {
        return .killed(test.displayName)
      }
    }
    return switch engine.effect(of: changed, sharing: attack, within: question) {
    case .invalid: .invalid
    case .nothing: .equivalent
    case .something(let witness, let isLoosened): .survived(witness, isLoosened: isLoosened)
    case .unknown: .unknown
    }
  }
}
