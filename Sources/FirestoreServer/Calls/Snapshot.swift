import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// Options that say which state a request reads.
struct ReadOptions {
  /// The transaction that it is part of.
  var transaction: [UInt8]?
  /// The options of a transaction that begins with it.
  var newTransaction: WireMessage?
  /// The time of the state that it reads.
  var readTime: Timestamp?
}

/// The state that a request reads.
struct Snapshot: Sendable {
  /// A past state; nil for the present one.
  var past: Store?
  /// The time of the state.
  var time: Timestamp
  /// The time of the request.
  var asked: Timestamp
  /// The transaction that begins with the request; empty if none does.
  var begun: [UInt8] = []
}

extension ReadOptions {
  /// The transaction that the request is part of; nil if it is part of none.
  var transactionID: TransactionID? { transaction.map { TransactionID(bytes: $0) } }
}

extension Backend {
  /// Begins or continues the transaction of a request that reads, with its locks, and returns the state that
  /// the request reads.
  mutating func snapshot(
    _ options: ReadOptions, locking targets: [LockTarget], in id: DatabaseID, for call: CallContext
  ) throws(CallStatus) -> Snapshot {
    let time = clock.next(after: call.now)
    var snapshot = Snapshot(past: nil, time: time, asked: time)
    var transaction = options.transactionID
    if let options = options.newTransaction {
      let begun = try begin(options, in: id, for: call)
      transaction = begun
      snapshot.begun = begun.bytes
    }
    var readTime = options.readTime
    if let transaction {
      readTime = try withTransactions(of: id) { transactions throws(Refusal) in
        try transactions.read(targets, in: transaction, at: call.now)
      }
    }
    if let readTime {
      let store = store(id)
      snapshot.past = try CallStatus.of { () throws(Refusal) in
        try store.past(at: readTime, now: call.now)
      }
      snapshot.time = min(readTime, time)
    }
    return snapshot
  }

  /// Refuses a request of a transaction that cannot be used, before its arguments are looked at.
  mutating func checkTransaction(
    _ transaction: TransactionID?, writing: Bool = false, in id: DatabaseID,
    for call: CallContext
  ) throws(CallStatus) {
    guard let transaction else { return }
    do throws(CallStatus) {
      try withTransactions(of: id) { transactions throws(Refusal) in
        try transactions.use(transaction, writing: writing, at: call.now)
      }
    } catch {
      // One that was forgotten has ended by that.
      hasEndedTransactions = true
      throw error
    }
  }

  /// Begins a transaction.
  mutating func begin(
    _ options: WireMessage?, in id: DatabaseID, for call: CallContext
  ) throws(CallStatus) -> TransactionID {
    let readOnly = options?[.transactionOptionsReadOnly]
    return try withTransactions(of: id) { transactions throws(Refusal) in
      try transactions.begin(
        isReadOnly: readOnly != nil, readTime: readOnly?[.readOnlyReadTime], at: call.now)
    }
  }

  /// The documents of a snapshot.
  func store(of snapshot: Snapshot, in id: DatabaseID) -> Store { snapshot.past ?? store(id) }

  /// Asks the rules about what a request reads. A transaction that begins with a request that is refused is
  /// over.
  mutating func authorize(
    _ operation: Request.Operation, in id: DatabaseID, on snapshot: Snapshot, for call: CallContext
  ) throws(CallStatus) {
    do throws(CallStatus) {
      try authorize(operation, in: id, time: snapshot.asked, for: call, on: snapshot.past)
    } catch {
      if !snapshot.begun.isEmpty { end(TransactionID(bytes: snapshot.begun), in: id) }
      throw error
    }
  }
}
