/// The messages of `google.firestore.v1` that the methods carry, with their fields. A message that is nested
/// in another one in the protos is a case of its own.
public enum MessageType: UInt8, Sendable, CaseIterable {
  // google/firestore/v1/common.proto
  case documentMask, precondition, transactionOptions, readWrite, readOnly, requestOptions
  // documents and writes
  case document, arrayValue, write, documentTransform, fieldTransform, writeResult,
    documentChange, documentDelete, documentRemove, existenceFilter, bloomFilter, bitSequence
  // queries
  case structuredQuery, collectionSelector, filter, compositeFilter, fieldFilter, unaryFilter,
    order, fieldReference, projection, findNearest, cursor, structuredAggregationQuery,
    aggregation, count, sum, avg, aggregationResult, explainOptions
  // requests that read, and their responses
  case getDocumentRequest, listDocumentsRequest, listDocumentsResponse, batchGetDocumentsRequest,
    batchGetDocumentsResponse, runQueryRequest, runQueryResponse, runAggregationQueryRequest,
    runAggregationQueryResponse, partitionQueryRequest, partitionQueryResponse,
    listCollectionIdsRequest, listCollectionIdsResponse
  // requests that write, and their responses
  case createDocumentRequest, updateDocumentRequest, deleteDocumentRequest,
    beginTransactionRequest, beginTransactionResponse, commitRequest, commitResponse,
    rollbackRequest, batchWriteRequest, batchWriteResponse, status, empty
  // the two streams
  case writeRequest, writeResponse, listenRequest, listenResponse, target, documentsTarget,
    queryTarget, targetChange

  /// The row of the table.
  public var spec: MessageSpec { MessageSpec.all[Int(rawValue)] }
}
