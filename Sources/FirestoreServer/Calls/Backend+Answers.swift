import FirestoreTransport
import FirestoreWire

extension Backend {
  /// Answers a unary call.
  mutating func answer(
    _ method: FirestoreMethod, _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> Progress<[WireMessage]> {
    switch method {
    case .getDocument: return .done(try getDocument(request, for: call))
    case .batchGetDocuments: return .done(try batchGetDocuments(request, for: call))
    case .listDocuments: return .done(try listDocuments(request, for: call))
    case .listCollectionIDs: return .done(try listCollectionIds(request, for: call))
    case .runQuery: return .done(try runQuery(request, for: call))
    case .runAggregationQuery: return .done(try runAggregationQuery(request, for: call))
    case .partitionQuery: return .done(try partitionQuery(request, for: call))
    case .beginTransaction: return .done(try beginTransaction(request, for: call))
    case .rollback: return .done(try rollback(request, for: call))
    case .commit: return try commit(request, for: call)
    case .batchWrite: return try batchWrite(request, for: call)
    case .createDocument: return try createDocument(request, for: call)
    case .updateDocument: return try updateDocument(request, for: call)
    case .deleteDocument: return try deleteDocument(request, for: call)
    case .write, .listen:
      throw CallStatus(.unimplemented, "Method not found: \(method.name.description)")
    }
  }
}
