extension MessageSpec {
  /// The rows of google/firestore/v1/common.proto.
  static let common: [MessageSpec] = [
    documentMask, precondition, transactionOptions, readWrite, readOnly, requestOptions,
  ]

  private static let documentMask = MessageSpec(
    .documentMask, "google.firestore.v1.DocumentMask",
    [
      .texts(.documentMaskFieldPaths, 1, "field_paths")
    ])

  private static let precondition = MessageSpec(
    .precondition, "google.firestore.v1.Precondition",
    [
      .optionalBool(.preconditionExists, 1, "exists", in: "condition_type"),
      .timestamp(.preconditionUpdateTime, 2, "update_time", in: "condition_type"),
    ])

  private static let transactionOptions = MessageSpec(
    .transactionOptions, "google.firestore.v1.TransactionOptions",
    [
      .message(.transactionOptionsReadOnly, 2, "read_only", of: .readOnly, in: "mode"),
      .message(.transactionOptionsReadWrite, 3, "read_write", of: .readWrite, in: "mode"),
    ])

  private static let readWrite = MessageSpec(
    .readWrite, "google.firestore.v1.TransactionOptions.ReadWrite",
    [
      .bytes(.readWriteRetryTransaction, 1, "retry_transaction"),
      .enumeration(.readWriteConcurrencyMode, 2, "concurrency_mode"),
    ])

  private static let readOnly = MessageSpec(
    .readOnly, "google.firestore.v1.TransactionOptions.ReadOnly",
    [
      .timestamp(.readOnlyReadTime, 2, "read_time", in: "consistency_selector")
    ])

  private static let requestOptions = MessageSpec(
    .requestOptions, "google.firestore.v1.RequestOptions",
    [
      .texts(.requestOptionsRequestTags, 1, "request_tags")
    ])
}
