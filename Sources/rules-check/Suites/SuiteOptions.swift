import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// The settings of a run of suites.
struct SuiteOptions: Sendable {
  /// The rules to use instead of the suites' own.
  var rulesPath: String?
  /// The text that names of tests and claims must contain to be run; nil for all.
  var filter: String?
  /// The number of threads; nil to choose automatically.
  var jobs: Int?
  /// The profile.
  var profile = Profile.emulator
  /// The databases of the suites.
  var databases = Databases(named: nil, configured: nil)
  /// The parts of suites that are run.
  var part = LoadedSuite.Part.both
  /// The tests that are reported with traces.
  var traced = LoadedSuite.Traced.failed
  /// The emulator to compare with; nil for none.
  var emulator: EmulatorAddress?
  /// The empty coverage report to add to; nil if coverage is not measured.
  var coverage: CoverageReport?
  /// The limits of one claim.
  var limits = QuestionLimits()
  /// The formats whose entries are written while a large suite is run.
  var spooledFormats: [TestReport.Format] = []
  /// True if a report needs complete results, as those with explanations do.
  var needsResults = true
  /// True to minimise expected counterexamples, too, because they will be shown.
  var showsExpected = false
  /// True if proofs name the conjuncts that make each statement safe.
  var explainsProofs = false
  /// The repository, which determines file names in machine-readable reports.
  let repository = Repository()
  /// True to write the tests as cases of Google's test call.
  var writesCases = false
  /// True to report the cost of requests.
  var measuresCost = false
  /// True to show progress.
  var showsProgress = false

  /// True to trace every test.
  var tracesAll: Bool { coverage != nil || traced == .all }

  /// True if nothing needs all tests of a large suite in memory at once.
  var streams: Bool {
    emulator == nil && !writesCases && !measuresCost && (traced != .all || !needsResults)
  }

  /// True if a test or claim with a name is to be run.
  func wants(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }
}
