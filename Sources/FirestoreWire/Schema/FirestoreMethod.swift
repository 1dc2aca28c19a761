/// The methods of the service `google.firestore.v1.Firestore`.
public enum FirestoreMethod: Sendable, CaseIterable {
  case getDocument, listDocuments, createDocument, updateDocument, deleteDocument
  case batchGetDocuments, beginTransaction, commit, rollback, runQuery, runAggregationQuery
  case partitionQuery, write, listen, listCollectionIDs, batchWrite

  /// The name of the service in request paths.
  public static let service: StaticString = "google.firestore.v1.Firestore"

  /// The name of the method.
  public var name: StaticString { row.name }
  /// The type of request messages.
  public var request: MessageType { row.request }
  /// The type of response messages.
  public var response: MessageType { row.response }
  /// True if the client may send any number of messages in a call.
  public var isClientStreaming: Bool {
    switch self {
    case .write, .listen: true
    case .getDocument, .listDocuments, .createDocument, .updateDocument, .deleteDocument,
      .batchGetDocuments, .beginTransaction, .commit, .rollback, .runQuery, .runAggregationQuery,
      .partitionQuery, .listCollectionIDs, .batchWrite:
      false
    }
  }
  /// True if the server may send any number of messages in a call.
  public var isServerStreaming: Bool {
    switch self {
    case .write, .listen, .batchGetDocuments, .runQuery, .runAggregationQuery: true
    case .getDocument, .listDocuments, .createDocument, .updateDocument, .deleteDocument,
      .beginTransaction, .commit, .rollback, .partitionQuery, .listCollectionIDs, .batchWrite:
      false
    }
  }

  /// Creates the method with a name, such as `GetDocument`.
  public init?(name: String) {
    guard let method = Self.allCases.first(where: { $0.name.description == name }) else {
      return nil
    }
    self = method
  }

  /// Creates the method of a gRPC path without its leading slash, such as
  /// `google.firestore.v1.Firestore/GetDocument`.
  public init?(path: String) {
    guard let method = Self.paths.first(where: { $0.path == path })?.method else {
      return nil
    }
    self = method
  }

  private static let paths: [(method: Self, path: String)] = allCases.map {
    ($0, service.description + "/" + $0.name.description)
  }

  private var row: (name: StaticString, request: MessageType, response: MessageType) {
    switch self {
    case .getDocument: ("GetDocument", .getDocumentRequest, .document)
    case .listDocuments: ("ListDocuments", .listDocumentsRequest, .listDocumentsResponse)
    case .createDocument: ("CreateDocument", .createDocumentRequest, .document)
    case .updateDocument: ("UpdateDocument", .updateDocumentRequest, .document)
    case .deleteDocument: ("DeleteDocument", .deleteDocumentRequest, .empty)
    case .batchGetDocuments:
      ("BatchGetDocuments", .batchGetDocumentsRequest, .batchGetDocumentsResponse)
    case .beginTransaction:
      ("BeginTransaction", .beginTransactionRequest, .beginTransactionResponse)
    case .commit: ("Commit", .commitRequest, .commitResponse)
    case .rollback: ("Rollback", .rollbackRequest, .empty)
    case .runQuery: ("RunQuery", .runQueryRequest, .runQueryResponse)
    case .runAggregationQuery:
      ("RunAggregationQuery", .runAggregationQueryRequest, .runAggregationQueryResponse)
    case .partitionQuery: ("PartitionQuery", .partitionQueryRequest, .partitionQueryResponse)
    case .write: ("Write", .writeRequest, .writeResponse)
    case .listen: ("Listen", .listenRequest, .listenResponse)
    case .listCollectionIDs:
      ("ListCollectionIds", .listCollectionIdsRequest, .listCollectionIdsResponse)
    case .batchWrite: ("BatchWrite", .batchWriteRequest, .batchWriteResponse)
    }
  }
}
