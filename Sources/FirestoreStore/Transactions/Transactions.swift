public import RulesEval
import RulesLang

/// The answer to a commit that asks whether it may go on.
public enum Admission: Sendable, Hashable {
  /// The written documents were read by no other transaction.
  case granted
  /// The transaction `holder` has; ask again when a transaction ends, or at the time, which ends the wait.
  case waits(until: Timestamp, holder: TransactionID)
}

/// The transactions of one database: their locks and snapshots.
///
/// Locks are pessimistic: documents that a transaction has read are not written by others before it ends.
/// Commits take no time, so there are only shared locks, and a reader never waits. Nothing here waits either:
/// times are passed in, and a commit that has to wait gets the time until when.
public struct Transactions: Sendable {
  /// A transaction that can still be used.
  private struct Open: Sendable {
    /// The time that it reads from; nil if it reads the present, with locks, and may write.
    var readTime: Timestamp?
    /// Its locks.
    var locks: Set<LockTarget> = []
    /// The time of its last use.
    var lastUse: Timestamp
  }

  /// Seconds that a write waits for a lock (Docs/Emulator.md, Transactions).
  static let lockSeconds: Int64 = 2
  /// Seconds after its last use that a transaction is forgotten (Docs/Emulator.md, Transactions).
  static let idleSeconds: Int64 = 60
  /// Open transactions of a database; a hundred parallel clients would have to forget a hundred each.
  static let mostOpen = 10_000
  /// Locks of a transaction; one that reads more locks everything instead, with one lock.
  static let mostLocks = 10_000

  /// The transactions that can be used.
  private var open: [TransactionID: Open] = [:]
  /// The transactions that hold each lock.
  private var holders: [LockTarget: Set<TransactionID>] = [:]
  /// The number of the last transaction.
  private var lastNumber: UInt64 = 0
  /// A time before which no transaction is forgotten; nil if there is none. Uses make it too early, which
  /// costs a look.
  public private(set) var nextExpiry: Timestamp?

  /// Makes a table without transactions.
  public init() {}

  /// Begins a transaction.
  ///
  /// - Parameter readTime: the time that one which only reads sees; nil for now.
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

  /// Takes note of what a transaction reads.
  ///
  /// - Returns: the time to read from (`Store.past(at:now:)`); nil for the present, which then stays as it is
  ///   read until the transaction ends.
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

  /// Decides if the writes of a commit may be done now. To be called before the rules are evaluated.
  ///
  /// - Parameters:
  ///   - id: the transaction; nil for a commit from outside.
  ///   - arrival: the time at which the commit was first requested.
  /// - Throws: the refusal of a commit that has waited too long; its transaction is ended.
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

  /// True if a transaction has read a document that others then must not write.
  public func isLocked(_ path: DocumentPath) -> Bool { holder(of: [path], besides: nil) != nil }

  /// Returns the end of the wait for locks of a request that came at a time.
  public static func deadline(of arrival: Timestamp) -> Timestamp {
    arrival.adding(seconds: lockSeconds)
  }

  /// Ends a transaction: after its commit, whether that was done, refused or denied.
  public mutating func finish(_ id: TransactionID) {
    guard let transaction = open.removeValue(forKey: id) else { return }
    for lock in transaction.locks { release(lock, of: id) }
    if open.isEmpty { nextExpiry = nil }
  }

  /// Ends a transaction without a commit. One that has ended before may be rolled back, too.
  public mutating func rollback(_ id: TransactionID, at now: Timestamp) throws(Refusal) {
    guard isKnown(id) else { throw .unknownTransaction }
    finish(id)
  }

  /// Ends the transactions that are forgotten.
  ///
  /// - Returns: their IDs, in the order in which they began.
  public mutating func expire(at now: Timestamp) -> [TransactionID] {
    guard let expiry = nextExpiry, expiry <= now else { return [] }
    let forgotten = open.filter { $0.value.lastUse.adding(seconds: Self.idleSeconds) <= now }.keys
    let ended = forgotten.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    for id in ended { finish(id) }
    nextExpiry = open.values.map { $0.lastUse }.min()?.adding(seconds: Self.idleSeconds)
    return ended
  }

  /// Throws unless a transaction can be used, or if it is to write and only reads; takes note of the use.
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

  /// True if there has been a transaction with the ID.
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

  /// Returns a transaction that has read one of some documents; of several the one that began first.
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
  /// Returns the time some seconds later, or the last time of all.
  fileprivate func adding(seconds: Int64) -> Timestamp {
    Timestamp(epochSeconds: epochSeconds + seconds, nanos: Int64(nanos)) ?? .latest
  }
}
