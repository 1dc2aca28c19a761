import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// Tests that detect surviving mutants, for the suites they fit best: each passes on the rules, and fails on
/// its mutant.
struct SurvivorTests {
  /// The tests to add to one suite.
  struct Addition {
    /// The suite.
    var suite: LoadedSuite
    /// The tests, each with its mutant as title.
    var entries: [FirstSuite.Entry] = []
    /// The reasons for choosing this suite, if there are several: "its tests are about /rooms, too".
    var reasons: [String] = []
    /// The names of its tests and of the added ones.
    var names = UniqueNames()
  }

  /// The additions, in the order of the suites.
  var additions: [Addition] { all.filter { !$0.entries.isEmpty } }
  /// The fates of the mutants with the added tests.
  private(set) var file: MutationReport.File

  private var all: [Addition]
  private var tests: [(test: Test, documents: Documents)] = []
  private let now = Clock.now

  /// Finds the tests for the suites of a rules file. A mutant that another one's test detects gets none.
  init(of file: MutationReport.File, for suites: [LoadedSuite], by engine: Engine) {
    self.file = file
    all = suites.map { suite in
      var addition = Addition(suite: suite)
      for test in suite.suite?.tests ?? [] { _ = addition.names.unique(test.name) }
      return addition
    }
    let choice = SuiteChoice(among: suites, about: file.path)
    let judge = EditJudge(engine)
    for place in file.mutants.indices {
      let mutant = file.mutants[place]
      guard let changed = Self.changed(mutant, judge) else { continue }
      let known = tests.first { isNoticed(changed, by: $0.test, on: $0.documents) }
      if let name = known?.test.displayName ?? add(mutant, changed, choice, engine) {
        self.file.mutants[place].fate = .killed(name)
      }
    }
  }

  /// Returns the rules with a mutant that no test detects.
  private static func changed(_ mutant: MutationReport.Mutant, _ judge: EditJudge) -> Engine? {
    switch mutant.fate {
    case .survived, .unknown: judge.applying(mutant.edit)?.engine
    case .killed, .equivalent, .invalid: nil
    }
  }

  /// Adds a test that detects a mutant, and returns its name; nil if there is none.
  private mutating func add(
    _ mutant: MutationReport.Mutant, _ changed: Engine, _ choice: SuiteChoice, _ engine: Engine
  ) -> String? {
    guard case .survived(let witness, _) = mutant.fate else { return nil }
    let (place, reason) = choice.suite(for: witness.document)
    let documents = all[place].suite.documents
    let drafts = [Test.Expectation.allow, .deny].flatMap { expectation in
      SuiteWriter.drafts(
        witness.request, on: witness.documents, expecting: expectation)
    }
    for json in drafts {
      guard let test = Self.read(json, in: engine.rules.database),
        isNoticed(changed, by: test, on: documents),
        engine.run(test, documents: documents, now: now, isRemarking: false).isPassed
      else { continue }
      let named = json.renamed { all[place].names.unique($0) }
      let added = Self.read(named, in: engine.rules.database) ?? test
      tests.append((added, documents))
      all[place].entries.append(
        FirstSuite.Entry(
          allow: AllowID(0), title: "fails if \(mutant.edit.summary)",
          tests: [named], notes: []))
      if let reason, !all[place].reasons.contains(reason) { all[place].reasons.append(reason) }
      return added.displayName
    }
    return nil
  }

  private func isNoticed(_ changed: Engine, by test: Test, on documents: Documents) -> Bool {
    !changed.run(test, documents: documents, now: now, isRemarking: false).isPassed
  }

  private static func read(_ json: JSON, in database: DatabaseName) -> Test? {
    let suite = JSON(.object([JSON.Member("tests", value: JSON(.array([json])))]))
    return SuiteReader.read(
      suite, in: SourceText(name: "the suite", ""), database: database
    ).suite?.tests.first
  }
}
