import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Unary calls that write.

extension Backend {
  /// The refusal of BatchWrite to clients.
  private static let batchRefusal = "Batch writes require admin authentication."

  /// Answers Commit.
  mutating func commit(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    let id = try database(request[.commitRequestDatabase])
    let writes = request[.commitRequestWrites]
    try CallStatus.of { () throws(Refusal) in try StoreWrite.checkVerifications(writes) }
    let progress = try commit(
      writes, transaction: request[.commitRequestTransaction], in: id,
      for: call)
    return progress.map { [WireMessage($0)] }
  }

  /// Answers BatchWrite, which only administrators may call; writes succeed or fail one by one.
  mutating func batchWrite(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    let id = try database(request[.batchWriteRequestDatabase])
    let writes = try batch(request[.batchWriteRequestWrites], in: id)
    try checkAdmin(call, saying: Self.batchRefusal)
    let locked = lockedDocuments(of: writes, in: id)
    let deadline = Transactions.deadline(of: call.arrival)
    if !locked.isEmpty, call.now < deadline { return .waits(until: deadline) }
    let outcomes: [BatchOutcome]
    do throws(Refusal) {
      outcomes = try applyEach(
        writes, to: id, at: clock.next(after: call.now), locked: locked)
    } catch {
      throw CallStatus(error)
    }
    let answer = WireMessage(.batchWriteResponse) {
      for outcome in outcomes {
        switch outcome {
        case .written(let result, at: _):
          $0.append(WireMessage(result), to: .batchWriteResponseWriteResults)
          $0.append(WireMessage(.status), to: .batchWriteResponseStatus)
        case .refused(let refusal):
          $0.append(WireMessage(.writeResult), to: .batchWriteResponseWriteResults)
          $0.append(WireMessage(CallStatus(refusal)), to: .batchWriteResponseStatus)
        }
      }
    }
    return .done([answer])
  }

  /// Reads and checks the writes of a batch.
  private func batch(
    _ messages: [WireMessage], in id: DatabaseID
  ) throws(CallStatus) -> [StoreWrite] {
    try CallStatus.of { () throws(Refusal) in
      try StoreWrite.checkNamedOnce(messages)
      return try StoreWrite.all(messages, in: id)
    }
  }

  /// Answers CreateDocument; without an ID the document gets a random one.
  mutating func createDocument(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    let parent = try parent(request[.createDocumentRequestParent])
    let mask = try Self.mask(request[.createDocumentRequestMask])
    var documentID = request[.createDocumentRequestDocumentId]
    let isDrawn = documentID.isEmpty
    if isDrawn { documentID = newDocumentID() }
    let name =
      parent.text + Text("/") + request[.createDocumentRequestCollectionId] + Text("/")
      + documentID
    let collection = request[.createDocumentRequestCollectionId]
    let path = try CallStatus.of { () throws(Refusal) in
      try collection.checkCollection()
      return try parent.database.document(name)
    }
    let fields = request[.createDocumentRequestDocument]?[.documentFields] ?? MapValue()
    var write = StoreWrite(path, .set(fields, mask: nil), precondition: .missing)
    write.hasDrawnID = isDrawn
    return try commit(one: write, in: parent.database, returning: mask, for: call)
  }

  /// Answers UpdateDocument.
  mutating func updateDocument(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    let document = request[.updateDocumentRequestDocument] ?? WireMessage(.document)
    let mask = try Self.mask(request[.updateDocumentRequestMask])
    let name = try CallStatus.of { () throws(Refusal) in
      try ResourceName(document: document[.documentName])
    }
    try checkUse(of: name.database)
    let write = try CallStatus.of { () throws(Refusal) in
      StoreWrite(
        name.path,
        .set(
          document[.documentFields],
          mask: try [FieldPath](request[.updateDocumentRequestUpdateMask])
        ),
        precondition: try StoreWrite.Precondition(request[.updateDocumentRequestCurrentDocument]))
    }
    return try commit(one: write, in: name.database, returning: mask, for: call)
  }

  /// Answers DeleteDocument.
  mutating func deleteDocument(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    let name = try CallStatus.of { () throws(Refusal) in
      try ResourceName(document: request[.deleteDocumentRequestName])
    }
    try checkUse(of: name.database)
    let precondition = try CallStatus.of { () throws(Refusal) in
      try StoreWrite.Precondition(request[.deleteDocumentRequestCurrentDocument])
    }
    let write = StoreWrite(name.path, .delete, precondition: precondition)
    return try commit(write, in: name.database, for: call).map { _ in [WireMessage(.empty)] }
  }

  /// Commits one write of a document and answers with the stored document.
  private mutating func commit(
    one write: StoreWrite, in id: DatabaseID, returning mask: [FieldPath]?, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    let progress = try commit(write, in: id, for: call)
    let stored = document(write.path, in: id)
    return progress.map { _ in stored.map { [id.message(of: $0.selecting(mask))] } ?? [] }
  }

  /// Answers BeginTransaction.
  mutating func beginTransaction(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let id = try database(request[.beginTransactionRequestDatabase])
    let transaction = try begin(request[.beginTransactionRequestOptions], in: id, for: call)
    return [
      WireMessage(.beginTransactionResponse) {
        $0[.beginTransactionResponseTransaction] = transaction.bytes
      }
    ]
  }

  /// Answers Rollback.
  mutating func rollback(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let id = try database(request[.rollbackRequestDatabase])
    let transaction = TransactionID(bytes: request[.rollbackRequestTransaction])
    try withTransactions(of: id) { transactions throws(Refusal) in
      try transactions.rollback(transaction, at: call.now)
    }
    hasEndedTransactions = true
    return [WireMessage(.empty)]
  }
}

extension Progress {
  /// Returns the progress with a transformed result.
  func map<Other: Sendable>(_ change: (Result) -> Other) -> Progress<Other> {
    switch self {
    case .done(let result): .done(change(result))
    case .waits(let time): .waits(until: time)
    }
  }
}
