import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver

/// Runs suites on mutants of their rules.
struct MutationRun {
  /// The limits of one proof, and of all proofs about one file.
  let limits: QuestionLimits
  /// The profile.
  let profile: Profile
  /// True to show progress.
  let showsProgress: Bool
  /// True to list the tests, and for each mutant those that reach it.
  let listsTests: Bool
  private let now = Clock.now

  init(
    limits: QuestionLimits, profile: Profile, showsProgress: Bool = false, listsTests: Bool = false
  ) {
    self.limits = limits
    self.profile = profile
    self.showsProgress = showsProgress
    self.listsTests = listsTests
  }

  /// Tries every mutant of the rules.
  func run(_ group: MutationSuites.Group) -> MutationReport.File {
    let start = Clock.nanoseconds
    let engine = Engine(group.rules, profile: profile)
    let whole = limits.whole()
    let judge = EditJudge(engine, within: whole)
    let outcomes = outcomes(of: group.suites, by: judge, within: whole)
    let edits = group.rules.ruleset.mutants()
    let progress = Progress(isWanted: showsProgress)
    defer { progress.clear() }
    let mutants = edits.enumerated().map { place, edit in
      progress.show("\(Printable.text(group.path)): change \(place + 1) of \(edits.count)")
      let question = limits.question(of: whole)
      defer { question.settle() }
      var mutant = MutationReport.Mutant(edit: edit, fate: .invalid)
      mutant.fate = fate(of: &mutant, judge, outcomes.passing, question)
      return mutant
    }
    var file = MutationReport.File(
      path: group.path, source: group.rules.ruleset.source,
      database: group.rules.database, mutants: mutants,
      nanoseconds: Clock.nanoseconds - start)
    file.failing = outcomes.failing
    if listsTests {
      file.suites = group.suites.map { $0.source }
      file.tests = outcomes.tests
    }
    return file
  }

  /// A test that passes.
  private struct Passing {
    /// The test.
    var test: Test
    /// The documents that its suite stores.
    var documents: Documents
    /// The blocks that can affect it; nil for all.
    var blocks: Set<MatchID>?
    /// The index among all tests.
    var number: Int
  }

  /// The outcomes of the tests on the unchanged rules.
  private struct Outcomes {
    /// The tests that pass.
    var passing: [Passing] = []
    /// The names of the others: a test that fails on the unchanged rules detects nothing.
    var failing: [String] = []
    /// All tests, in order.
    var tests: [MutationReport.TestCase] = []
  }

  private func outcomes(
    of suites: [LoadedSuite], by judge: EditJudge, within whole: Budget
  ) -> Outcomes {
    var options = SuiteOptions()
    options.traced = .none
    var scheduler = SuiteScheduler(options, at: now)
    var outcomes = Outcomes()
    for (place, suite) in suites.enumerated() where !whole.isSpent {
      let results = scheduler.add(suite) + scheduler.finish()
      for result in results.flatMap(\.tests.results) where !whole.isSpent {
        for one in result.requests { whole.charge(for: one.decision, by: judge.engine) }
        if result.isPassed {
          let blocks = judge.blocks(of: result.requests.map { $0.decision })
          outcomes.passing.append(
            Passing(
              test: result.test, documents: suite.documents, blocks: blocks,
              number: outcomes.tests.count))
        } else {
          outcomes.failing.append(result.test.displayName)
        }
        outcomes.tests.append(
          MutationReport.TestCase(
            name: result.test.displayName, suite: place, range: result.test.range))
      }
    }
    return outcomes
  }

  private func fate(
    of mutant: inout MutationReport.Mutant, _ judge: EditJudge, _ tests: [Passing],
    _ question: Budget
  ) -> MutationReport.Fate {
    let edit = mutant.edit
    if question.isSpent { return spent(edit, judge, question) }
    guard let changed = judge.applying(edit, within: question) else { return .invalid }
    if listsTests {
      mutant.coveredBy = tests.filter { changed.mayMatter(to: $0.blocks) }.map(\.number)
    }
    for passing in tests where changed.mayMatter(to: passing.blocks) {
      // The remaining tests might notice it.
      if question.isSpent { return spent(edit, judge, question) }
      let result = changed.engine.run(
        passing.test, documents: passing.documents, now: now, isRemarking: false)
      for one in result.requests { question.charge(for: one.decision, by: changed.engine) }
      if !result.isPassed {
        mutant.killedBy = passing.number
        return .killed(passing.test.displayName)
      }
    }
    return switch judge.effect(of: changed, within: question) {
    case .invalid: .invalid
    case .nothing: .equivalent
    case .something(let witness, let isLoosened):
      .survived(
        isLoosened
          ? explained(witness, by: changed.engine, not: judge.engine)
          : explained(
            allowed(witness, by: judge.engine, not: changed.engine), by: judge.engine,
            not: changed.engine),
        isLoosened: isLoosened)
    case .unknown(let openReasons): .unknown(openReasons)
    }
  }

  /// Returns the fate of a mutant for which no steps are left.
  private func spent(
    _ edit: Mutation, _ judge: EditJudge, _ question: Budget
  ) -> MutationReport.Fate {
    if case .unknown(let openReasons) = judge.effect(of: edit, within: question) {
      return .unknown(openReasons)
    }
    return .unknown([])
  }

  private func explained(
    _ witness: DiffWitness, by allowing: Engine, not refusing: Engine
  ) -> DiffWitness {
    var witness = witness
    witness.explain(by: allowing, not: refusing)
    return witness
  }

  /// Returns a request that only the mutant denies as one of a user whose access is intended: in suites the
  /// stranger is never allowed anything.
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
