import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Commits: arguments, then locks, then rules, then preconditions (Docs/Emulator.md, Writes).

extension Backend {
  /// Commits writes for a caller, all or none of them.
  ///
  /// A commit that is refused ends its transaction.
  mutating func commit(
    _ messages: [WireMessage], transaction bytes: [UInt8] = [], in id: DatabaseID,
    for call: CallContext
  ) throws(CallStatus) -> Progress<Commit> {
    let writes = try CallStatus.of { () throws(Refusal) in try StoreWrite.all(messages, in: id) }
    return try commit(writes, transaction: bytes, in: id, for: call)
  }

  /// Commits writes that are read already.
  mutating func commit(
    _ writes: [StoreWrite], transaction bytes: [UInt8] = [], in id: DatabaseID,
    for call: CallContext
  ) throws(CallStatus) -> Progress<Commit> {
    let transaction = bytes.isEmpty ? nil : TransactionID(bytes: bytes)
    try check(writes, in: id)
    if transaction != nil || !hasNoTransactions(id) {
      let paths = writes.map { $0.path }
      let admission: Admission
      do throws(CallStatus) {
        admission = try withTransactions(of: id) { transactions throws(Refusal) in
          try transactions.admit(paths, in: transaction, since: call.arrival, at: call.now)
        }
      } catch {
        hasEndedTransactions = hasEndedTransactions || transaction != nil
        throw error
      }
      switch admission {
      case .granted: break
      case .waits(let time, holder: _): return .waits(until: time)
      }
    }
    defer { end(transaction, in: id) }
    let time = clock.next(after: call.now)
    try checkRules(of: id)
    try authorize(
      .get(writes.filter { $0.rulesWrite == nil }.map { $0.path }), in: id, time: time, for: call)
    try authorize(.commit(writes.compactMap { $0.rulesWrite }), in: id, time: time, for: call)
    do throws(Refusal) {
      return .done(try apply(writes, to: id, at: time, requestTime: time.requestTime))
    } catch {
      throw CallStatus(error)
    }
  }

  private func check(_ writes: [StoreWrite], in id: DatabaseID) throws(CallStatus) {
    let store = store(id)
    try CallStatus.of { () throws(Refusal) in try store.check(writes) }
  }
}
