import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// The options that select the state that a request reads.
struct ReadOptions {
  /// The transaction that it is part of.
  var transaction: [UInt8]?
  /// The options of a transaction that begins with the request.
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
  /// The transaction that locks the documents that the request reads; nil if nothing is locked.
  var transaction: TransactionID?
}

extension ReadOptions {
  /// The transaction that the request is part of; nil if it is part of none.
  var transactionID: TransactionID? { transaction.map { TransactionID(bytes: $0) } }
}

extension Backend {
  /// Begins or continues the transaction of a request that reads, and returns the state that it reads.
  mutating func snapshot(
    _ options: ReadOptions, in id: DatabaseID, for call: CallContext
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
        try transactions.read([], in: transaction, at: call.now)
      }
      if readTime == nil { snapshot.transaction = transaction }
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

  /// Refuses a request whose transaction cannot be used, before its arguments are checked.
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
      // The failed use ended the transaction if it had been idle for too long.
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

  /// Decides a read by the rules, and locks its documents if it is granted. Documents that the rules read are
  /// locked in any case.
  ///
  /// A refused request ends the transaction that it begins, unless the transaction has locks: its ID is
  /// unknown to the client, so the locks stay until it has been idle for too long, as on the official
  /// emulator.
  ///
  /// - Parameter targets: The documents to lock; nil if the request cannot be part of a transaction with
  ///   locks.
  mutating func authorize(
    _ operation: Request.Operation, locking targets: [LockTarget]?, in id: DatabaseID,
    on snapshot: Snapshot, for call: CallContext
  ) throws(CallStatus) {
    do throws(CallStatus) {
      try authorize(
        operation, in: id, time: snapshot.asked, for: call, on: snapshot.past,
        locking: snapshot.transaction)
      guard let transaction = snapshot.transaction else { return }
      guard let targets else {
        throw .invalid("A query without a collection cannot be part of a transaction that writes.")
      }
      try withTransactions(of: id) { transactions throws(Refusal) in
        _ = try transactions.read(targets, in: transaction, at: call.now)
      }
    } catch {
      let begun = TransactionID(bytes: snapshot.begun)
      if !snapshot.begun.isEmpty, !holdsLocks(begun, in: id) { end(begun, in: id) }
      throw error
    }
  }
}
