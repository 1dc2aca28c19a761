public import RulesEval
import RulesLang

/// The result of requesting locks for a commit.
public enum Admission: Sendable, Hashable {
  /// No other transaction has read the documents that the commit writes.
  case granted
  /// The transaction `holder` has read one of them. Retry when a transaction ends, or at the time, when the
  /// wait ends.
  case waits(until: Timestamp, holder: TransactionID)
}

/// The transactions of one database, with their locks and snapshots.
///
/// Locks are pessimistic: others cannot write documents that a transaction has read until it ends. Commits
/// are instantaneous, so all locks are shared, and reads never wait. This type does not wait itself: it gets
/// the present time, and returns the time until which a commit has to wait.
public struct Transactions: Sendable {
  /// An open transaction.
  private struct Open: Sendable {
    /// The time of its reads; nil if it reads the present state with locks, and may write.
    var readTime: Timestamp?
    /// The locks.
    var locks: Set<LockTarget> = []
    /// The time of its last use.
    var lastUse: Timestamp
  }

  /// Maximum seconds that a write waits for a lock (Docs/Emulator.md, Transactions).
  static let lockSeconds: Int64 = 2
  /// Seconds of idleness after which a transaction ends (Docs/Emulator.md, Transactions).
  static let idleSeconds: Int64 = 60
  /// Maximum open transactions of a database: more than a hundred parallel clients with a hundred abandoned
  /// ones each.
  static let mostOpen = 10_000
  /// Maximum locks of a transaction; above it the transaction locks everything with one lock.
  static let mostLocks = 10_000

  /// The open transactions.
  private var open: [TransactionID: Open] = [:]
  /// The transactions that hold each target.
  private var holders: [LockTarget: Set<TransactionID>] = [:]
  /// The number of the latest transaction.
  private var lastNumber: UInt64 = 0
  /// A lower bound of the time when the next idle transaction ends; nil without transactions. It is not
  /// updated when a transaction is used, so `expire` may find nothing to end.
  public private(set) var nextExpiry: Timestamp?

  /// Creates a set without transactions.
  public init() {}

  /// Begins a transaction.
  ///
  /// - Parameter readTime: The time of the reads of a read-only transaction; nil for now.
  public mutating func begin(
    isReadOnly: Bool, readTime: Timestamp? = nil, at now: Timestamp
  ) throws(Refusal) -> TransactionID {
    if open.count >= Self.mostOpen {
      _ = expire(at: now)
      if open.count >= Self.mostOpen { throw .manyTransactions }
    }
    lastNumber += 1
    let id = TransactionID(number: lastNumber)
    open[id] = Open(readTime: isReadOnly ? readTime ?? now : nil, lastUse: now)
    if nextExpiry == nil { nextExpiry = now.adding(seconds: Self.idleSeconds) }
    return id
  }

  /// Locks the documents that a transaction reads, unless it is read-only.
  ///
  /// - Returns: The time of the state to read (`Store.past(at:now:)`); nil for the present state, in which
  ///   the read documents do not change until the transaction ends.
  public mutating func read(
    _ targets: [LockTarget], in id: TransactionID, at now: Timestamp
  ) throws(Refusal) -> Timestamp? {
    try use(id, at: now)
    if let time = open[id]?.readTime { return time }
    for target in targets { lock(target, for: id) }
    return nil
  }

  /// True if a transaction holds locks.
  public func holdsLocks(_ id: TransactionID) -> Bool { open[id]?.locks.isEmpty == false }

  /// Decides whether the writes of a commit may be applied now. Called before the rules are evaluated.
  ///
  /// - Parameters:
  ///   - id: The transaction; nil for a commit without one.
  ///   - arrival: The time when the commit was first requested.
  /// - Throws: The refusal of a commit that waited too long, whose transaction ends.
  public mutating func admit(
    _ paths: [DocumentPath], in id: TransactionID?, since arrival: Timestamp, at now: Timestamp
  ) throws(Refusal) -> Admission {
    if let id {
      try use(id, writing: !paths.isEmpty, at: now)
    }
    guard let holder = holder(of: paths, besides: id) else { return .granted }
    let deadline = Self.deadline(of: arrival)
    if now < deadline { return .waits(until: deadline, holder: holder) }
    if let id { finish(id) }
    throw .lockTimeout
  }

  /// True if a transaction has read a document, so that others cannot write it.
  public func isLocked(_ path: DocumentPath) -> Bool { holder(of: [path], besides: nil) != nil }

  /// Returns the end of the wait for locks of a request that arrived at a time.
  public static func deadline(of arrival: Timestamp) -> Timestamp {
    arrival.adding(seconds: lockSeconds)
  }

  /// Ends a transaction, after its commit succeeded, was refused or was denied.
  public mutating func finish(_ id: TransactionID) {
    guard let transaction = open.removeValue(forKey: id) else { return }
    for lock in transaction.locks { release(lock, of: id) }
    if open.isEmpty { nextExpiry = nil }
  }

  /// Ends a transaction without a commit. A transaction that has ended may also be rolled back.
  public mutating func rollback(_ id: TransactionID, at now: Timestamp) throws(Refusal) {
    guard isKnown(id) else { throw .unknownTransaction }
    finish(id)
  }

  /// Ends the transactions that were idle for too long.
  ///
  /// - Returns: Their IDs, in the order in which they began.
  public mutating func expire(at now: Timestamp) -> [TransactionID] {
    guard let expiry = nextExpiry, expiry <= now else { return [] }
    let forgotten = open.filter { $0.value.lastUse.adding(seconds: Self.idleSeconds) <= now }.keys
    let ended = forgotten.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    for id in ended { finish(id) }
    nextExpiry = open.values.map { $0.lastUse }.min()?.adding(seconds: Self.idleSeconds)
    return ended
  }

  /// Records the use of a transaction. Throws if it is unknown, closed or idle for too long, or if it is
  /// read-only and `writing` is true.
  public mutating func use(
    _ id: TransactionID, writing: Bool = false, at now: Timestamp
  ) throws(Refusal) {
    guard let transaction = open[id] else {
      throw isKnown(id) ? .closedTransaction : .unknownTransaction
    }
    if transaction.lastUse.adding(seconds: Self.idleSeconds) <= now {
      finish(id)
      throw .closedTransaction
    }
    open[id]?.lastUse = now
    if writing, transaction.readTime != nil { throw .readOnlyTransaction }
  }

  /// True if a transaction ever had the ID.
  private func isKnown(_ id: TransactionID) -> Bool {
    id.number.map { $0 >= 1 && $0 <= lastNumber } ?? false
  }

  private mutating func lock(_ target: LockTarget, for id: TransactionID) {
    guard let count = open[id]?.locks.count else { return }
    if count >= Self.mostLocks {
      for lock in open[id]?.locks ?? [] { release(lock, of: id) }
      open[id]?.locks = []
      hold(.everything, by: id)
    } else if open[id]?.locks.contains(.everything) == false {
      hold(target, by: id)
    }
  }

  private mutating func hold(_ target: LockTarget, by id: TransactionID) {
    open[id]?.locks.insert(target)
    holders[target, default: []].insert(id)
  }

  private mutating func release(_ target: LockTarget, of id: TransactionID) {
    holders[target]?.remove(id)
    if holders[target]?.isEmpty == true { holders[target] = nil }
  }

  /// Returns the transaction that has read one of the documents; the one that began first if there are
  /// several.
  private func holder(of paths: [DocumentPath], besides own: TransactionID?) -> TransactionID? {
    if holders.isEmpty { return nil }
    for path in paths {
      for target in LockTarget.all(of: path) {
        let others = (holders[target] ?? []).filter { $0 != own }
        if let first = others.min(by: { ($0.number ?? 0) < ($1.number ?? 0) }) { return first }
      }
    }
    return nil
  }
}

extension Timestamp {
  /// Returns the time some seconds later, limited to the last possible one.
  fileprivate func adding(seconds: Int64) -> Timestamp {
    Timestamp(epochSeconds: epochSeconds + seconds, nanos: Int64(nanos)) ?? .latest
  }
}
