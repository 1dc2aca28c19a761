import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// Entries of reports, written while tests are run, so that their results need not be kept.
struct SpooledEntries: Sendable {
  /// The entries of some consecutive tests.
  struct Portion: Sendable {
    fileprivate var batches: [Spool.Batch]
  }

  private let context: TestReport.Context
  private let formats: [TestReport.Format]
  private let spools: [Spool]

  /// Creates empty entries for some formats.
  init(_ formats: [TestReport.Format], _ context: TestReport.Context) {
    self.context = context
    self.formats = formats
    spools = formats.map { _ in Spool() }
  }

  /// The entries of no test.
  var portion: Portion { Portion(batches: formats.map { _ in Spool.Batch() }) }

  /// Writes the entries of a result.
  func append(_ result: TestResult, nanoseconds: UInt64, to portion: inout Portion) {
    for (place, format) in formats.enumerated() {
      portion.batches[place].append(format.entry(result, nanoseconds, context))
    }
  }

  /// Adds the entries of a portion behind those added before.
  func add(_ portion: Portion) {
    for (place, spool) in spools.enumerated() { spool.add(portion.batches[place]) }
  }

  /// Calls a function with the entries of a format, in order. False if that format was not written.
  func forEach(_ format: TestReport.Format, _ body: (String) -> Void) -> Bool {
    guard let place = formats.firstIndex(of: format) else { return false }
    spools[place].forEach(body)
    return true
  }

  /// The error because of which entries are missing; nil if none are.
  var problem: FileProblem? { spools.lazy.compactMap(\.problem).first }
}

extension TestReport.Format {
  /// Returns the entry of a test.
  fileprivate func entry(
    _ result: TestResult, _ nanoseconds: UInt64, _ context: TestReport.Context
  ) -> String {
    switch self {
    case .json: TestJSON.entry(result, in: context)
    case .junit: JUnitReport.entry(result, nanoseconds: nanoseconds, in: context)
    case .tap: TAPReport.entry(result, in: context)
    }
  }
}
