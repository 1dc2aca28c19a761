import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Commits, checked in this order: arguments, locks, rules, preconditions (Docs/Emulator.md, Writes).

extension Backend {
  /// Commits a caller's writes, all or none of them.
  ///
  /// A refused commit ends its transaction.
  mutating func commit(
    _ messages: [WireMessage], transaction bytes: [UInt8] = [], in id: DatabaseID,
    for call: CallContext
  ) throws(CallStatus) -> Progress<Commit> {
    let transaction = bytes.isEmpty ? nil : TransactionID(bytes: bytes)
    try checkTransaction(transaction, writing: !messages.isEmpty, in: id, for: call)
    let writes = try CallStatus.of { () throws(Refusal) in try StoreWrite.all(messages, in: id) }
    return try commit(read: writes, transaction: transaction, in: id, for: call)
  }

  /// Commits a single write that is already read.
  mutating func commit(
    _ write: StoreWrite, in id: DatabaseID, for call: CallContext
  ) throws(CallStatus) -> Progress<Commit> {
    try check(write, in: id)
    return try commit(read: [write], transaction: nil, in: id, for: call)
  }

  /// Commits checked writes one by one.
  private mutating func commit(
    read writes: [StoreWrite], transaction: TransactionID?, in id: DatabaseID,
    for call: CallContext
  ) throws(CallStatus) -> Progress<Commit> {
    try checkTogether(writes, in: id)
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
    // The time for documents that are verified to be missing is before that of the commit.
    let verifies = writes.contains { $0.rulesWrite == nil }
    let readTime = verifies ? clock.next(after: call.now) : nil
    let time = clock.next(after: call.now)
    try checkRules(of: id)
    let (verified, changes) = questions(of: writes, in: id)
    try authorize(.get(verified), in: id, time: time, for: call)
    try authorize(.commit(changes), in: id, time: time, for: call)
    do throws(Refusal) {
      return .done(
        try apply(
          writes, to: id, at: time, requestTime: time.requestTime, readTime: readTime))
    } catch {
      throw CallStatus(error)
    }
  }

  /// Returns the documents that a commit only verifies, for which the rules decide a `get`, and its other
  /// writes as the rules see them.
  ///
  /// The first write of a document determines whether the document is expected to be stored, even if it is a
  /// verification or a deletion that will fail. A deletion that will fail is left out, so the writes after it
  /// are decided as an update of a missing document or a creation of a stored one.
  private func questions(
    of writes: [StoreWrite], in id: DatabaseID
  ) -> (verified: [DocumentPath], changes: [Write]) {
    let stored = Set(writes.filter { $0.storesDocument }.map { $0.path })
    var changes: [Write] = []
    var expected: [DocumentPath: Write.Precondition] = [:]
    var verified: [DocumentPath] = []
    var changed: Set<DocumentPath> = []
    for write in writes {
      let path = write.path
      guard var change = write.rulesWrite else {
        if changed.contains(path) || expected[path] != nil { continue }
        verified.append(path)
        expected[path] = write.precondition == .missing ? .missing : .exists
        continue
      }
      if !changed.contains(path), expected[path] == nil, stored.contains(path),
        let precondition = write.failingDeletion(of: document(path, in: id))
      {
        expected[path] = precondition
        continue
      }
      if changed.insert(path).inserted, write.precondition == .none,
        let precondition = expected[path]
      {
        change.precondition = precondition
      }
      changes.append(change)
    }
    return (verified.filter { !changed.contains($0) }, changes)
  }

  // The copies of the store end with these functions, so that later changes are made in place.

  private func check(_ write: StoreWrite, in id: DatabaseID) throws(CallStatus) {
    let store = store(id)
    try CallStatus.of { () throws(Refusal) in try store.check([write]) }
  }

  private func checkTogether(_ writes: [StoreWrite], in id: DatabaseID) throws(CallStatus) {
    let store = store(id)
    try CallStatus.of { () throws(Refusal) in try store.checkTogether(writes) }
  }
}

extension StoreWrite {
  /// True if the document is stored after the write.
  fileprivate var storesDocument: Bool {
    switch change {
    case .set, .transform: true
    case .delete, .verify: false
    }
  }

  /// The precondition of a deletion that fails on a document, stored or nil; nil if there is none.
  fileprivate func failingDeletion(of document: StoredDocument?) -> Write.Precondition? {
    guard case .delete = change else { return nil }
    switch precondition {
    case .none, .updateTime: return nil
    case .exists: return document == nil ? .exists : nil
    case .missing: return document == nil ? nil : .missing
    }
  }
}
