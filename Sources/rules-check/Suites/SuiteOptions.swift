import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// What is wanted of a run of suites.
struct SuiteOptions: Sendable {
  /// Which tests are reported with traces.
  enum Traced: String, CaseIterable, Sendable { case failed, all, none }

  /// The rules to use instead of the suites' own.
  var rulesPath: String?
  /// What the names of the wanted tests and claims contain; nil for all.
  var filter: String?
  /// How many threads there are to be; nil for as many as pay.
  var jobs: Int?
  /// Whose behaviour is followed.
  var profile = Profile.emulator
  /// The databases of the suites.
  var databases = Databases(named: nil, configured: nil)
  /// Which tests are reported with traces.
  var traced = Traced.failed
  /// An emulator that is asked the same; nil for none.
  var emulator: EmulatorAddress?
  /// The coverage to begin with; nil if it is not measured.
  var coverage: CoverageReport?
  /// What one claim may cost.
  var limits = QuestionLimits()
  /// The formats whose pieces are written down while a large suite is run.
  var pieces: [TestReport.Format] = []
  /// Whether a report needs all of a result, as those do that explain.
  var needsResults = true
  /// Whether a counterexample that was expected is made small, too, because it will be shown.
  var showsExpected = false
  /// Whether proofs say what makes each statement safe.
  var explainsProofs = false
  /// What the files of reports for programs are called in.
  let repository = Repository()
  /// Whether the tests are written down as cases of Google's test call.
  var writesCases = false
  /// Whether what requests cost is reported.
  var measuresCost = false
  /// Whether progress is shown.
  var showsProgress = false

  /// Whether every test is traced.
  var tracesAll: Bool { coverage != nil || traced == .all }

  /// Whether nothing needs all tests of a large suite at once.
  var streams: Bool {
    emulator == nil && !writesCases && !measuresCost && (traced != .all || !needsResults)
  }

  /// Whether a test or claim of a name is wanted.
  func wants(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }
}
