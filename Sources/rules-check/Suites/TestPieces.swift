import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// Pieces of reports, written while tests are run, so that their results need not be kept.
struct TestPieces: Sendable {
  /// The pieces of some consecutive tests.
  struct Batch: Sendable {
    fileprivate var batches: [Spool.Batch]
  }

  private let context: TestReport.Context
  private let formats: [TestReport.Format]
  private let spools: [Spool]

  /// Creates empty pieces for some formats.
  init(_ formats: [TestReport.Format], _ context: TestReport.Context) {
    self.context = context
    self.formats = formats
    spools = formats.map { _ in Spool() }
  }

  /// An empty batch.
  var batch: Batch { Batch(batches: formats.map { _ in Spool.Batch() }) }

  /// Writes the pieces of a result.
  func append(_ result: TestResult, nanoseconds: UInt64, to batch: inout Batch) {
    for (place, format) in formats.enumerated() {
      batch.batches[place].append(format.piece(result, nanoseconds, context))
    }
  }

  /// Adds a batch behind those added before.
  func add(_ batch: Batch) {
    for (place, spool) in spools.enumerated() { spool.add(batch.batches[place]) }
  }

  /// Calls a function with the pieces of a format, in order. False if that format was not written.
  func forEach(_ format: TestReport.Format, _ body: (String) -> Void) -> Bool {
    guard let place = formats.firstIndex(of: format) else { return false }
    spools[place].forEach(body)
    return true
  }

  /// The error because of which pieces are missing; nil if none are.
  var problem: FileProblem? { spools.lazy.compactMap(\.problem).first }
}

extension TestReport.Format {
  /// Returns the piece of a test.
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
