import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// A target of a `Listen` stream: documents or a query.
struct ListenTarget: Sendable {
  /// Documents or a query.
  enum Subject: Sendable {
    /// Documents by name, each once.
    case documents([DocumentPath])
    /// A query. If rules cannot express it, only administrators may make it.
    case query(StoreQuery)
  }

  /// The number, which the client chose.
  let number: Int32
  /// The documents or the query that the client listens to.
  let subject: Subject

  /// True for documents, which are notified before queries.
  var isOfDocuments: Bool {
    switch subject {
    case .documents: true
    case .query: false
    }
  }
}

extension ListenTarget {
  /// Reads a target of a database.
  init(_ message: WireMessage, number: Int32, in id: DatabaseID) throws(Refusal) {
    self.number = number
    if let documents = message[.targetDocuments] {
      var paths: [DocumentPath] = []
      var seen: Set<DocumentPath> = []
      for name in documents[.documentsTargetDocuments] {
        let path = try id.document(name)
        if seen.insert(path).inserted { paths.append(path) }
      }
      subject = .documents(paths)
    } else if let query = message[.targetQuery] {
      let parent = ResourceName(
        database: id, path: try id.parent(query[.queryTargetParent]))
      let message = query[.queryTargetStructuredQuery]
      try StoreFilter.checkNegations(message)
      let query = try StoreQuery(message, parent: parent)
      try query.checkListening(in: id)
      subject = .query(query)
    } else {
      throw Refusal(code: 3, message: "The target has neither documents nor a query.")
    }
  }

  /// Returns the database in the names of a target, for requests that name none.
  static func database(of message: WireMessage) throws(Refusal) -> DatabaseID {
    if let documents = message[.targetDocuments] {
      let name = documents[.documentsTargetDocuments].first ?? Text()
      return try ResourceName(document: name).database
    }
    return try ResourceName(parent: message[.targetQuery]?[.queryTargetParent] ?? Text()).database
  }
}

extension StoreQuery {
  /// True if a document is in a collection of the query, matched or not. Queries of any collection cover
  /// nothing: listeners are indexed by their collections, as on the official emulator.
  func covers(_ path: DocumentPath) -> Bool {
    let segments = path.segments
    guard segments.count >= 2, let collection, segments[segments.count - 2] == collection else {
      return false
    }
    let above = segments.dropLast(2)
    return allDescendants
      ? above.starts(with: parent.segments) : above.elementsEqual(parent.segments)
  }
}
