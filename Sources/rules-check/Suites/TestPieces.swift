import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// What reports say of single tests, written down while the tests are run, so that no result has to
/// be kept for them.
struct TestPieces: Sendable {
  /// The pieces of some tests that follow each other.
  struct Batch: Sendable {
    fileprivate var batches: [Spool.Batch]
  }

  private let context: TestReport.Context
  private let formats: [TestReport.Format]
  private let spools: [Spool]

  /// Begins to write down what the formats need.
  init(_ formats: [TestReport.Format], _ context: TestReport.Context) {
    self.context = context
    self.formats = formats
    spools = formats.map { _ in Spool() }
  }

  /// No pieces yet.
  var batch: Batch { Batch(batches: formats.map { _ in Spool.Batch() }) }

  /// Writes down a result.
  func append(_ result: TestResult, nanoseconds: UInt64, to batch: inout Batch) {
    for (place, format) in formats.enumerated() {
      batch.batches[place].append(format.piece(result, nanoseconds, context))
    }
  }

  /// Keeps a batch, after those that were added before.
  func add(_ batch: Batch) {
    for (place, spool) in spools.enumerated() { spool.add(batch.batches[place]) }
  }

  /// Calls a function with the pieces of a format, in order; false if it was not written down.
  func forEach(_ format: TestReport.Format, _ body: (String) -> Void) -> Bool {
    guard let place = formats.firstIndex(of: format) else { return false }
    spools[place].forEach(body)
    return true
  }

  /// Why pieces are missing from a report, if some are.
  var problem: FileProblem? { spools.lazy.compactMap(\.problem).first }
}

extension TestReport.Format {
  /// What the format says of a test.
  fileprivate func piece(
    _ result: TestResult, _ nanoseconds: UInt64, _ context: TestReport.Context
  ) -> String {
    switch self {
    case .json: TestJSON.piece(result, in: context)
    case .junit: JUnitReport.piece(result, nanoseconds: nanoseconds, in: context)
    case .tap: TAPReport.piece(result, in: context)
    }
  }
}
