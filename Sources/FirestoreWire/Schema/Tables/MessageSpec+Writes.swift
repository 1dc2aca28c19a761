extension MessageSpec {
  /// The rows of write requests and their responses.
  static let writes: [MessageSpec] = [
    createDocumentRequest, updateDocumentRequest, deleteDocumentRequest, beginTransactionRequest,
    beginTransactionResponse, commitRequest, commitResponse, rollbackRequest, batchWriteRequest,
    batchWriteResponse, status, empty,
  ]

  private static let createDocumentRequest = MessageSpec(
    .createDocumentRequest, "google.firestore.v1.CreateDocumentRequest", resource: 0,
    [
      .text(.createDocumentRequestParent, 1, "parent"),
      .text(.createDocumentRequestCollectionId, 2, "collection_id"),
      .text(.createDocumentRequestDocumentId, 3, "document_id"),
      .message(.createDocumentRequestDocument, 4, "document", of: .document),
      .message(.createDocumentRequestMask, 5, "mask", of: .documentMask),
      .message(.createDocumentRequestRequestOptions, 6, "request_options", of: .requestOptions),
    ])

  private static let updateDocumentRequest = MessageSpec(
    .updateDocumentRequest, "google.firestore.v1.UpdateDocumentRequest", resource: 0,
    [
      .message(.updateDocumentRequestDocument, 1, "document", of: .document),
      .message(.updateDocumentRequestUpdateMask, 2, "update_mask", of: .documentMask),
      .message(.updateDocumentRequestMask, 3, "mask", of: .documentMask),
      .message(.updateDocumentRequestCurrentDocument, 4, "current_document", of: .precondition),
      .message(.updateDocumentRequestRequestOptions, 5, "request_options", of: .requestOptions),
    ])

  private static let deleteDocumentRequest = MessageSpec(
    .deleteDocumentRequest, "google.firestore.v1.DeleteDocumentRequest", resource: 0,
    [
      .text(.deleteDocumentRequestName, 1, "name"),
      .message(.deleteDocumentRequestCurrentDocument, 2, "current_document", of: .precondition),
      .message(.deleteDocumentRequestRequestOptions, 3, "request_options", of: .requestOptions),
    ])

  private static let beginTransactionRequest = MessageSpec(
    .beginTransactionRequest, "google.firestore.v1.BeginTransactionRequest", resource: 0,
    [
      .text(.beginTransactionRequestDatabase, 1, "database"),
      .message(.beginTransactionRequestOptions, 2, "options", of: .transactionOptions),
      .message(.beginTransactionRequestRequestOptions, 3, "request_options", of: .requestOptions),
    ])

  private static let beginTransactionResponse = MessageSpec(
    .beginTransactionResponse, "google.firestore.v1.BeginTransactionResponse",
    [
      .bytes(.beginTransactionResponseTransaction, 1, "transaction")
    ])

  private static let commitRequest = MessageSpec(
    .commitRequest, "google.firestore.v1.CommitRequest", resource: 0,
    [
      .text(.commitRequestDatabase, 1, "database"),
      .messages(.commitRequestWrites, 2, "writes", of: .write),
      .bytes(.commitRequestTransaction, 3, "transaction"),
      .message(.commitRequestRequestOptions, 4, "request_options", of: .requestOptions),
    ])

  private static let commitResponse = MessageSpec(
    .commitResponse, "google.firestore.v1.CommitResponse",
    [
      .messages(.commitResponseWriteResults, 1, "write_results", of: .writeResult),
      .timestamp(.commitResponseCommitTime, 2, "commit_time"),
    ])

  private static let rollbackRequest = MessageSpec(
    .rollbackRequest, "google.firestore.v1.RollbackRequest", resource: 0,
    [
      .text(.rollbackRequestDatabase, 1, "database"),
      .bytes(.rollbackRequestTransaction, 2, "transaction"),
      .message(.rollbackRequestRequestOptions, 3, "request_options", of: .requestOptions),
    ])

  private static let batchWriteRequest = MessageSpec(
    .batchWriteRequest, "google.firestore.v1.BatchWriteRequest", resource: 0,
    [
      .text(.batchWriteRequestDatabase, 1, "database"),
      .messages(.batchWriteRequestWrites, 2, "writes", of: .write),
      .labels(.batchWriteRequestLabels, 3, "labels"),
      .message(.batchWriteRequestRequestOptions, 4, "request_options", of: .requestOptions),
    ])

  private static let batchWriteResponse = MessageSpec(
    .batchWriteResponse, "google.firestore.v1.BatchWriteResponse",
    [
      .messages(.batchWriteResponseWriteResults, 1, "write_results", of: .writeResult),
      .messages(.batchWriteResponseStatus, 2, "status", of: .status),
    ])

  private static let status = MessageSpec(
    .status, "google.rpc.Status",
    [
      .int32(.statusCode, 1, "code"),
      .text(.statusMessage, 2, "message"),
    ])

  private static let empty = MessageSpec(
    .empty, "google.protobuf.Empty",
    [])
}
