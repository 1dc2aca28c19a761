extension MessageSpec {
  /// The rows of read requests and their responses.
  static let reads: [MessageSpec] = [
    getDocumentRequest, listDocumentsRequest, listDocumentsResponse, batchGetDocumentsRequest,
    batchGetDocumentsResponse, runQueryRequest, runQueryResponse, runAggregationQueryRequest,
    runAggregationQueryResponse, partitionQueryRequest, partitionQueryResponse,
    listCollectionIdsRequest, listCollectionIdsResponse,
  ]

  private static let getDocumentRequest = MessageSpec(
    .getDocumentRequest, "google.firestore.v1.GetDocumentRequest", resource: 0,
    [
      .text(.getDocumentRequestName, 1, "name"),
      .message(.getDocumentRequestMask, 2, "mask", of: .documentMask),
      .optionalBytes(.getDocumentRequestTransaction, 3, "transaction", in: "consistency_selector"),
      .timestamp(.getDocumentRequestReadTime, 5, "read_time", in: "consistency_selector"),
      .message(.getDocumentRequestRequestOptions, 10, "request_options", of: .requestOptions),
    ])

  private static let listDocumentsRequest = MessageSpec(
    .listDocumentsRequest, "google.firestore.v1.ListDocumentsRequest", resource: 0,
    [
      .text(.listDocumentsRequestParent, 1, "parent"),
      .text(.listDocumentsRequestCollectionId, 2, "collection_id"),
      .int32(.listDocumentsRequestPageSize, 3, "page_size"),
      .text(.listDocumentsRequestPageToken, 4, "page_token"),
      .text(.listDocumentsRequestOrderBy, 6, "order_by"),
      .message(.listDocumentsRequestMask, 7, "mask", of: .documentMask),
      .optionalBytes(
        .listDocumentsRequestTransaction, 8, "transaction", in: "consistency_selector"),
      .timestamp(.listDocumentsRequestReadTime, 10, "read_time", in: "consistency_selector"),
      .bool(.listDocumentsRequestShowMissing, 12, "show_missing"),
      .message(.listDocumentsRequestRequestOptions, 13, "request_options", of: .requestOptions),
    ])

  private static let listDocumentsResponse = MessageSpec(
    .listDocumentsResponse, "google.firestore.v1.ListDocumentsResponse",
    [
      .messages(.listDocumentsResponseDocuments, 1, "documents", of: .document),
      .text(.listDocumentsResponseNextPageToken, 2, "next_page_token"),
    ])

  private static let batchGetDocumentsRequest = MessageSpec(
    .batchGetDocumentsRequest, "google.firestore.v1.BatchGetDocumentsRequest", resource: 0,
    [
      .text(.batchGetDocumentsRequestDatabase, 1, "database"),
      .texts(.batchGetDocumentsRequestDocuments, 2, "documents"),
      .message(.batchGetDocumentsRequestMask, 3, "mask", of: .documentMask),
      .optionalBytes(
        .batchGetDocumentsRequestTransaction, 4, "transaction", in: "consistency_selector"),
      .message(
        .batchGetDocumentsRequestNewTransaction, 5, "new_transaction", of: .transactionOptions,
        in: "consistency_selector"),
      .timestamp(.batchGetDocumentsRequestReadTime, 7, "read_time", in: "consistency_selector"),
      .message(.batchGetDocumentsRequestRequestOptions, 8, "request_options", of: .requestOptions),
    ])

  private static let batchGetDocumentsResponse = MessageSpec(
    .batchGetDocumentsResponse, "google.firestore.v1.BatchGetDocumentsResponse",
    [
      .message(.batchGetDocumentsResponseFound, 1, "found", of: .document, in: "result"),
      .optionalText(.batchGetDocumentsResponseMissing, 2, "missing", in: "result"),
      .bytes(.batchGetDocumentsResponseTransaction, 3, "transaction"),
      .timestamp(.batchGetDocumentsResponseReadTime, 4, "read_time"),
    ])

  private static let runQueryRequest = MessageSpec(
    .runQueryRequest, "google.firestore.v1.RunQueryRequest", resource: 0,
    [
      .text(.runQueryRequestParent, 1, "parent"),
      .message(
        .runQueryRequestStructuredQuery, 2, "structured_query", of: .structuredQuery,
        in: "query_type"),
      .optionalBytes(.runQueryRequestTransaction, 5, "transaction", in: "consistency_selector"),
      .message(
        .runQueryRequestNewTransaction, 6, "new_transaction", of: .transactionOptions,
        in: "consistency_selector"),
      .timestamp(.runQueryRequestReadTime, 7, "read_time", in: "consistency_selector"),
      .message(.runQueryRequestExplainOptions, 10, "explain_options", of: .explainOptions),
      .message(.runQueryRequestRequestOptions, 11, "request_options", of: .requestOptions),
    ])

  private static let runQueryResponse = MessageSpec(
    .runQueryResponse, "google.firestore.v1.RunQueryResponse",
    [
      .message(.runQueryResponseDocument, 1, "document", of: .document),
      .bytes(.runQueryResponseTransaction, 2, "transaction"),
      .timestamp(.runQueryResponseReadTime, 3, "read_time"),
      .int32(.runQueryResponseSkippedResults, 4, "skipped_results"),
      .optionalBool(.runQueryResponseDone, 6, "done", in: "continuation_selector"),
    ])

  private static let runAggregationQueryRequest = MessageSpec(
    .runAggregationQueryRequest, "google.firestore.v1.RunAggregationQueryRequest", resource: 0,
    [
      .text(.runAggregationQueryRequestParent, 1, "parent"),
      .message(
        .runAggregationQueryRequestStructuredAggregationQuery, 2, "structured_aggregation_query",
        of: .structuredAggregationQuery, in: "query_type"),
      .optionalBytes(
        .runAggregationQueryRequestTransaction, 4, "transaction", in: "consistency_selector"),
      .message(
        .runAggregationQueryRequestNewTransaction, 5, "new_transaction", of: .transactionOptions,
        in: "consistency_selector"),
      .timestamp(.runAggregationQueryRequestReadTime, 6, "read_time", in: "consistency_selector"),
      .message(
        .runAggregationQueryRequestExplainOptions, 8, "explain_options", of: .explainOptions),
      .message(
        .runAggregationQueryRequestRequestOptions, 9, "request_options", of: .requestOptions),
    ])

  private static let runAggregationQueryResponse = MessageSpec(
    .runAggregationQueryResponse, "google.firestore.v1.RunAggregationQueryResponse",
    [
      .message(.runAggregationQueryResponseResult, 1, "result", of: .aggregationResult),
      .bytes(.runAggregationQueryResponseTransaction, 2, "transaction"),
      .timestamp(.runAggregationQueryResponseReadTime, 3, "read_time"),
    ])

  private static let partitionQueryRequest = MessageSpec(
    .partitionQueryRequest, "google.firestore.v1.PartitionQueryRequest", resource: 0,
    [
      .text(.partitionQueryRequestParent, 1, "parent"),
      .message(
        .partitionQueryRequestStructuredQuery, 2, "structured_query", of: .structuredQuery,
        in: "query_type"),
      .int64(.partitionQueryRequestPartitionCount, 3, "partition_count"),
      .text(.partitionQueryRequestPageToken, 4, "page_token"),
      .int32(.partitionQueryRequestPageSize, 5, "page_size"),
      .timestamp(.partitionQueryRequestReadTime, 6, "read_time", in: "consistency_selector"),
      .message(.partitionQueryRequestRequestOptions, 7, "request_options", of: .requestOptions),
    ])

  private static let partitionQueryResponse = MessageSpec(
    .partitionQueryResponse, "google.firestore.v1.PartitionQueryResponse",
    [
      .messages(.partitionQueryResponsePartitions, 1, "partitions", of: .cursor),
      .text(.partitionQueryResponseNextPageToken, 2, "next_page_token"),
    ])

  private static let listCollectionIdsRequest = MessageSpec(
    .listCollectionIdsRequest, "google.firestore.v1.ListCollectionIdsRequest", resource: 0,
    [
      .text(.listCollectionIdsRequestParent, 1, "parent"),
      .int32(.listCollectionIdsRequestPageSize, 2, "page_size"),
      .text(.listCollectionIdsRequestPageToken, 3, "page_token"),
      .timestamp(.listCollectionIdsRequestReadTime, 4, "read_time", in: "consistency_selector"),
      .message(.listCollectionIdsRequestRequestOptions, 5, "request_options", of: .requestOptions),
    ])

  private static let listCollectionIdsResponse = MessageSpec(
    .listCollectionIdsResponse, "google.firestore.v1.ListCollectionIdsResponse",
    [
      .texts(.listCollectionIdsResponseCollectionIds, 1, "collection_ids"),
      .text(.listCollectionIdsResponseNextPageToken, 2, "next_page_token"),
    ])
}
