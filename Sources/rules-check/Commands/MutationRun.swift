import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport
import RulesSolver

/// Runs suites on changed rules.
struct MutationRun {
  /// What one proof may cost, and all of them about one file.
  let limits: QuestionLimits
  /// Whose behaviour is followed.
  let profile: Profile
  /// Whether it is shown how far it has come.
  let showsProgress: Bool
  private let now = Clock.now

  init(limits: QuestionLimits, profile: Profile, showsProgress: Bool = false) {
    self.limits = limits
    self.profile = profile
    self.showsProgress = showsProgress
  }

  /// Changes the rules in every way, one at a time.
  func run(_ group: MutationSuites.Group) -> MutationReport.File {
    let start = Clock.nanoseconds
    let engine = Engine(group.rules, profile: profile)
    let whole = limits.whole()
    let (tests, failing) = outcomes(of: group.suites, by: engine, within: whole)
    let attack = Attack(engine)
    let edits = group.rules.ruleset.mutants()
    let progress = Progress(isWanted: showsProgress)
    defer { progress.clear() }
    let mutants = edits.enumerated().map { place, edit in
      progress.show("\(Printable.text(group.path)): change \(place + 1) of \(edits.count)")
      let question = limits.question(of: whole)
      defer { question.settle() }
      let fate = fate(of: edit, engine, tests, attack, question)
      return MutationReport.Mutant(edit: edit, fate: fate)
    }
    var file = MutationReport.File(
      path: group.path, source: group.rules.ruleset.source, mutants: mutants,
      nanoseconds: Clock.nanoseconds - start)
    file.failing = failing
    return file
  }

  /// The tests that pass, and the names of the others: a test that fails anyway notices nothing.
  private func outcomes(
    of suites: [LoadedSuite], by engine: Engine, within whole: Budget
  ) -> (passing: [(test: Test, documents: Documents)], failing: [String]) {
    var options = SuiteOptions()
    options.traced = .none
    var session = SuiteSession(options, at: now)
    var passing: [(test: Test, documents: Documents)] = []
    var failing: [String] = []
    for suite in suites where !whole.isSpent {
      let results = session.add(suite) + session.finish()
      for result in results.flatMap(\.tests.results) where !whole.isSpent {
        for one in result.requests { whole.charge(for: one.decision, by: engine) }
        if result.isPassed {
          passing.append((result.test, suite.documents))
        } else {
          failing.append(result.test.displayName)
        }
      }
    }
    return (passing, failing)
  }

  private func fate(
    of edit: RulesEdit, _ engine: Engine, _ tests: [(test: Test, documents: Documents)],
    _ attack: Attack, _ question: Budget
  ) -> MutationReport.Fate {
    if question.isSpent { return .unknown }
    question.chargeChecking(engine.rules)
    guard let changed = engine.applying(edit) else { return .invalid }
    for (test, documents) in tests {
      // The tests that are left might notice it.
      if question.isSpent { return .unknown }
      let result = changed.run(test, documents: documents, now: now, isRemarking: false)
      for one in result.requests { question.charge(for: one.decision, by: changed) }
      if !result.isPassed {
        return .killed(test.displayName)
      }
    }
    return switch engine.effect(of: changed, sharing: attack, within: question) {
    case .invalid: .invalid
    case .nothing: .equivalent
    case .something(let witness, let isLoosened):
      .survived(
        isLoosened ? witness : allowed(witness, by: engine, not: changed), isLoosened: isLoosened)
    case .unknown: .unknown
    }
  }

  /// A request that only changed rules deny, as one of a user who may: the stranger of suites never does.
  private func allowed(
    _ witness: DiffWitness, by engine: Engine, not changed: Engine
  ) -> DiffWitness {
    let sample = SampleRequests.Sample(request: witness.request, documents: witness.documents)
    let found = sample.allowedToUsers(by: engine) { sample in
      (try? changed.decide(sample.request, on: sample.documents))?.isAllowed == false
    }
    guard let found else { return witness }
    var renamed = witness
    (renamed.request, renamed.documents) = (found.request, found.documents)
    if case .string(let uid) = found.request.principal?.uid {
      renamed.document = DocumentPath(
        witness.document.segments.map { segment in
          segment == SampleRequests.stranger
            ? uid : segment == uid ? SampleRequests.stranger : segment
        })
    }
    return renamed
  }
}
