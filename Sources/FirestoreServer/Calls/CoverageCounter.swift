import FirestoreStore
import RulesEval
import RulesLang

/// A counter of the coverage of each database's rules.
///
/// Decided requests are kept until coverage is requested, the server is idle, or too many are kept. Each is
/// then decided again while the outcome of every expression is recorded. That takes 10 µs of processor with
/// rules of 27 and of 300 lines, and 25 µs with 2,000 lines; a call takes 150 to 200 µs.
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

  /// Maximum bytes of waiting requests and their documents: those of one of the largest messages.
  private static let mostWaitingBytes = 16 << 20
  /// Maximum number of waiting requests. Counting 2,000 gets of one document took 2 MiB and 20 ms, with 2,000
  /// lines of rules 50 ms, which is the longest that the next client should wait.
  static let mostWaiting = 2_048
  /// Maximum number of databases whose coverage is kept (parallel tests have a project each); the one that
  /// was counted first is dropped. The counts of one take 10 KiB with rules of 27 lines, 92 KiB of 300 and
  /// 620 KiB of 2,000; those of 256 databases take 2.5, 23 and 155 MiB (the memory after 256 databases, and
  /// after 256 more).
  static let mostDatabases = 256

  /// Creates a counter without counts.
  init(
    mostWaiting: Int = CoverageCounter.mostWaiting,
    mostDatabases: Int = CoverageCounter.mostDatabases
  ) {
    self.mostWaiting = mostWaiting
    self.mostDatabases = mostDatabases
  }

  /// Adds a decided request.
  ///
  /// - Parameter documents: All documents that the decision depends on.
  mutating func add(
    _ request: Request, on documents: Documents, by engine: Engine, in id: DatabaseID
  ) {
    waiting.append(Waiting(id: id, engine: engine, request: request, documents: documents))
    waitingBytes += request.size(with: documents)
    if waiting.count >= mostWaiting || waitingBytes >= Self.mostWaitingBytes { count() }
  }

  /// Returns the coverage of a database; nil if none was counted.
  mutating func coverage(of id: DatabaseID) -> RuleCoverage? {
    count()
    return counted[id]
  }

  /// Resets the coverage of databases whose rules have changed.
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
