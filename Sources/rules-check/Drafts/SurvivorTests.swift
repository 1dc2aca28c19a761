import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// Tests that notice the changes of rules that survive: each passes on the rules, and fails on its change.
struct SurvivorTests {
  /// The tests, with the change above each.
  private(set) var entries: [FirstSuite.Entry] = []

  /// Finds them for a suite that stores some documents. A change that another test notices has none.
  init(of file: MutationReport.File, on documents: Documents, by engine: Engine) {
    let now = Clock.now
    var tests: [Test] = []
    for mutant in file.mutants {
      guard case .survived(let witness, _) = mutant.fate,
        let changed = engine.applying(mutant.edit)
      else { continue }
      func isNoticed(by test: Test) -> Bool {
        !changed.run(test, documents: documents, now: now, isRemarking: false).isPassed
      }
      if tests.contains(where: isNoticed) { continue }
      let line = file.source.line(of: mutant.edit.range.start)
      let drafts = [Test.Expectation.allow, .deny].flatMap { expectation in
        SuiteWriter.drafts(
          named: "line \(line): \(mutant.edit.summary)?", witness.request, on: witness.documents,
          expecting: expectation)
      }
      for json in drafts {
        guard let test = Self.read(json), isNoticed(by: test),
          engine.run(test, documents: documents, now: now, isRemarking: false).isPassed
        else { continue }
        tests.append(test)
        entries.append(
          FirstSuite.Entry(
            allow: AllowID(0), title: "notices if, on line \(line), \(mutant.edit.summary)",
            tests: [json], notes: []))
        break
      }
    }
  }

  /// How many tests there are.
  var testCount: Int { entries.count }

  private static func read(_ json: JSON) -> Test? {
    let suite = JSON(.object([JSON.Member("tests", value: JSON(.array([json])))]))
    return SuiteReader.read(suite, in: SourceText(name: "the suite", "")).suite?.tests.first
  }
}
