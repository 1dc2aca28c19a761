/// The messages in calls of `google.firestore.v1`, with their fields. A message that is nested in another one
/// in the protos has its own case.
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
  // read requests and their responses
  case getDocumentRequest, listDocumentsRequest, listDocumentsResponse, batchGetDocumentsRequest,
    batchGetDocumentsResponse, runQueryRequest, runQueryResponse, runAggregationQueryRequest,
    runAggregationQueryResponse, partitionQueryRequest, partitionQueryResponse,
    listCollectionIdsRequest, listCollectionIdsResponse
  // write requests and their responses
  case createDocumentRequest, updateDocumentRequest, deleteDocumentRequest,
    beginTransactionRequest, beginTransactionResponse, commitRequest, commitResponse,
    rollbackRequest, batchWriteRequest, batchWriteResponse, status, empty
  // the two streams
  case writeRequest, writeResponse, listenRequest, listenResponse, target, documentsTarget,
    queryTarget, targetChange

  /// The row of the table.
  public var spec: MessageSpec { MessageSpec.all[Int(rawValue)] }
}
