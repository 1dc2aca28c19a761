import FirestoreStore
import RulesEval
import RulesLang

/// Counts the coverage of each database's rules.
///
/// Decided requests are kept until coverage is requested, the server is idle, or too many are kept. Then each
/// is decided again with the outcome of every expression noted: 10 microseconds of processor with rules of 27
/// and of 300 lines, 25 with 2,000, where a call takes 150 to 200.
struct CoverageCounter: Sendable {
  /// A decided request with the documents that the decision depends on.
  private struct Waiting: Sendable {
    var id: DatabaseID
    var engine: Engine
    var request: Request
    var documents: Documents
  }

  private var counted: [DatabaseID: RuleCoverage] = [:]
  /// The databases in `counted`, in the order in which they were first counted.
  private var order: [DatabaseID] = []
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  private let mostWaiting: Int
  private let mostDatabases: Int

  /// Bytes of waiting requests and their documents at most: one of the largest messages.
  private static let mostWaitingBytes = 16 << 20
  /// Requests that wait at most. 2,000 gets of one document took 2 MiB and 20 ms to count, with 2,000
  /// lines of rules 50 ms: as long as the next client may have to wait.
  static let mostWaiting = 2_048
  /// Databases that are counted at most: parallel tests have a project each. The one that was counted first
  /// is forgotten. The counts of one take 10 KiB with rules of 27 lines, 92 KiB of 300 and 620 KiB of 2,000,
  /// those of 256 so 2.5, 23 and 155 MiB (memory after 256 databases, and after 256 more).
  static let mostDatabases = 256

  /// Makes a counter that has counted nothing.
  init(
    mostWaiting: Int = CoverageCounter.mostWaiting,
    mostDatabases: Int = CoverageCounter.mostDatabases
  ) {
    self.mostWaiting = mostWaiting
    self.mostDatabases = mostDatabases
  }

  /// Adds a decided request.
  ///
  /// - Parameter documents: All that the decision depends on.
  mutating func add(
    _ request: Request, on documents: Documents, by engine: Engine, in id: DatabaseID
  ) {
    waiting.append(Waiting(id: id, engine: engine, request: request, documents: documents))
    waitingBytes += request.size(with: documents)
    if waiting.count >= mostWaiting || waitingBytes >= Self.mostWaitingBytes { count() }
  }

  /// Returns the coverage of a database; nil if nothing of it was counted.
  mutating func coverage(of id: DatabaseID) -> RuleCoverage? {
    count()
    return counted[id]
  }

  /// Resets the coverage of some databases, whose rules have changed.
  mutating func forget(_ isForgotten: (DatabaseID) -> Bool) {
    counted = counted.filter { !isForgotten($0.key) }
    order.removeAll(where: isForgotten)
    waiting.removeAll { isForgotten($0.id) }
  }

  /// True if requests wait.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Counts the requests that wait.
  mutating func count() {
    for one in waiting {
      guard
        let decision = try? one.engine.decide(one.request, on: one.documents, tracing: true)
      else { continue }
      if counted[one.id] == nil {
        if order.count == mostDatabases { counted[order.removeFirst()] = nil }
        order.append(one.id)
      }
      let rules = one.engine.rules.ruleset
      counted[one.id, default: RuleCoverage(rules)].add(decision, test: nil)
    }
    waiting = []
    waitingBytes = 0
  }
}
