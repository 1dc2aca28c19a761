import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Reads of documents by name.

extension Backend {
  /// Answers GetDocument.
  mutating func getDocument(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let name = try CallStatus.of { () throws(Refusal) in
      try ResourceName(document: request[.getDocumentRequestName])
    }
    let id = name.database
    let mask = try Self.mask(request[.getDocumentRequestMask])
    try checkUse(of: id)
    let options = ReadOptions(
      transaction: request[.getDocumentRequestTransaction],
      readTime: request[.getDocumentRequestReadTime])
    let snapshot = try snapshot(options, in: id, for: call)
    try authorize(
      .get([name.path]), locking: [.document(name.path)], in: id, on: snapshot, for: call)
    guard let document = store(of: snapshot, in: id)[name.path] else {
      throw CallStatus(
        .notFound, "Document (\(String(id.name(of: name.path)))) not found.")
    }
    return [id.message(of: document.selecting(mask))]
  }

  /// Answers BatchGetDocuments: one message for each name, without duplicates, in order.
  mutating func batchGetDocuments(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let id = try database(request[.batchGetDocumentsRequestDatabase])
    let mask = try Self.mask(request[.batchGetDocumentsRequestMask])
    var paths: [DocumentPath] = []
    var seen: Set<DocumentPath> = []
    for name in request[.batchGetDocumentsRequestDocuments] {
      let path = try CallStatus.of { () throws(Refusal) in try id.document(name) }
      if seen.insert(path).inserted { paths.append(path) }
    }
    let options = ReadOptions(
      transaction: request[.batchGetDocumentsRequestTransaction],
      newTransaction: request[.batchGetDocumentsRequestNewTransaction],
      readTime: request[.batchGetDocumentsRequestReadTime])
    let snapshot = try snapshot(options, in: id, for: call)
    try authorize(
      .get(paths), locking: paths.map { .document($0) }, in: id, on: snapshot, for: call)
    var answers: [WireMessage] = []
    if !snapshot.begun.isEmpty {
      answers.append(
        WireMessage(.batchGetDocumentsResponse) {
          $0[.batchGetDocumentsResponseTransaction] = snapshot.begun
        })
    }
    let store = store(of: snapshot, in: id)
    for path in paths {
      answers.append(
        WireMessage(.batchGetDocumentsResponse) {
          if let document = store[path] {
            $0[.batchGetDocumentsResponseFound] = id.message(of: document.selecting(mask))
          } else {
            $0[.batchGetDocumentsResponseMissing] = id.name(of: path)
          }
          $0[.batchGetDocumentsResponseReadTime] = snapshot.time
        })
    }
    return answers
  }

  /// Reads the database of a request, and checks that it may be used.
  mutating func database(_ name: Text) throws(CallStatus) -> DatabaseID {
    let id = try CallStatus.of { () throws(Refusal) in try DatabaseID(name: name) }
    try checkUse(of: id)
    return id
  }

  /// Reads the parent of a request, and checks that its database may be used.
  mutating func parent(_ name: Text) throws(CallStatus) -> ResourceName {
    let parent = try CallStatus.of { () throws(Refusal) in try ResourceName(parent: name) }
    try checkUse(of: parent.database)
    return parent
  }

  /// Refuses requests to other projects than the server's, and all requests while broken rules are in force.
  mutating func checkUse(of id: DatabaseID) throws(CallStatus) {
    try checkProject(id)
    try checkRules(of: id)
  }

  /// Reads the field mask of a request.
  static func mask(_ message: WireMessage?) throws(CallStatus) -> [FieldPath]? {
    try CallStatus.of { () throws(Refusal) in try [FieldPath](message) }
  }
}

extension StoredDocument {
  /// Returns the document with only the fields of a mask.
  func selecting(_ mask: [FieldPath]?) -> StoredDocument {
    guard let mask else { return self }
    var document = self
    document.data = data.selecting(mask)
    return document
  }
}
