extension MessageSpec {
  /// The rows of the two streams.
  static let streams: [MessageSpec] = [
    writeRequest, writeResponse, listenRequest, listenResponse, target, documentsTarget,
    queryTarget, targetChange,
  ]

  private static let writeRequest = MessageSpec(
    .writeRequest, "google.firestore.v1.WriteRequest", resource: 0,
    [
      .text(.writeRequestDatabase, 1, "database"),
      .text(.writeRequestStreamId, 2, "stream_id"),
      .messages(.writeRequestWrites, 3, "writes", of: .write),
      .bytes(.writeRequestStreamToken, 4, "stream_token"),
      .labels(.writeRequestLabels, 5, "labels"),
      .message(.writeRequestRequestOptions, 6, "request_options", of: .requestOptions),
    ])

  private static let writeResponse = MessageSpec(
    .writeResponse, "google.firestore.v1.WriteResponse",
    [
      .text(.writeResponseStreamId, 1, "stream_id"),
      .bytes(.writeResponseStreamToken, 2, "stream_token"),
      .messages(.writeResponseWriteResults, 3, "write_results", of: .writeResult),
      .timestamp(.writeResponseCommitTime, 4, "commit_time"),
    ])

  private static let listenRequest = MessageSpec(
    .listenRequest, "google.firestore.v1.ListenRequest", resource: 0,
    [
      .text(.listenRequestDatabase, 1, "database"),
      .message(.listenRequestAddTarget, 2, "add_target", of: .target, in: "target_change"),
      .optionalInt32(.listenRequestRemoveTarget, 3, "remove_target", in: "target_change"),
      .labels(.listenRequestLabels, 4, "labels"),
      .message(.listenRequestRequestOptions, 5, "request_options", of: .requestOptions),
    ])

  private static let listenResponse = MessageSpec(
    .listenResponse, "google.firestore.v1.ListenResponse",
    [
      .message(
        .listenResponseTargetChange, 2, "target_change", of: .targetChange, in: "response_type"),
      .message(
        .listenResponseDocumentChange, 3, "document_change", of: .documentChange,
        in: "response_type"),
      .message(
        .listenResponseDocumentDelete, 4, "document_delete", of: .documentDelete,
        in: "response_type"),
      .message(.listenResponseFilter, 5, "filter", of: .existenceFilter, in: "response_type"),
      .message(
        .listenResponseDocumentRemove, 6, "document_remove", of: .documentRemove,
        in: "response_type"),
    ])

  private static let target = MessageSpec(
    .target, "google.firestore.v1.Target",
    [
      .message(.targetQuery, 2, "query", of: .queryTarget, in: "target_type"),
      .message(.targetDocuments, 3, "documents", of: .documentsTarget, in: "target_type"),
      .optionalBytes(.targetResumeToken, 4, "resume_token", in: "resume_type"),
      .int32(.targetTargetId, 5, "target_id"),
      .bool(.targetOnce, 6, "once"),
      .timestamp(.targetReadTime, 11, "read_time", in: "resume_type"),
      .int32Value(.targetExpectedCount, 12, "expected_count"),
    ])

  private static let documentsTarget = MessageSpec(
    .documentsTarget, "google.firestore.v1.Target.DocumentsTarget",
    [
      .texts(.documentsTargetDocuments, 2, "documents")
    ])

  private static let queryTarget = MessageSpec(
    .queryTarget, "google.firestore.v1.Target.QueryTarget",
    [
      .text(.queryTargetParent, 1, "parent"),
      .message(
        .queryTargetStructuredQuery, 2, "structured_query", of: .structuredQuery, in: "query_type"),
    ])

  private static let targetChange = MessageSpec(
    .targetChange, "google.firestore.v1.TargetChange",
    [
      .enumeration(.targetChangeTargetChangeType, 1, "target_change_type"),
      .int32s(.targetChangeTargetIds, 2, "target_ids"),
      .message(.targetChangeCause, 3, "cause", of: .status),
      .bytes(.targetChangeResumeToken, 4, "resume_token"),
      .timestamp(.targetChangeReadTime, 6, "read_time"),
    ])
}
