public import RulesEval
public import RulesLang

// The fields of google/firestore/v1/common.proto.

extension Field {
  /// `DocumentMask.field_paths`.
  public static var documentMaskFieldPaths: Field<[Text]> { Field<[Text]>(.documentMask, 0) }

  /// `Precondition.exists`.
  public static var preconditionExists: Field<Bool?> { Field<Bool?>(.precondition, 0) }
  /// `Precondition.update_time`.
  public static var preconditionUpdateTime: Field<Timestamp?> {
    Field<Timestamp?>(.precondition, 1)
  }

  /// `TransactionOptions.read_only`.
  public static var transactionOptionsReadOnly: Field<WireMessage?> {
    Field<WireMessage?>(.transactionOptions, 0)
  }
  /// `TransactionOptions.read_write`.
  public static var transactionOptionsReadWrite: Field<WireMessage?> {
    Field<WireMessage?>(.transactionOptions, 1)
  }

  /// `TransactionOptions.ReadWrite.retry_transaction`.
  public static var readWriteRetryTransaction: Field<[UInt8]> { Field<[UInt8]>(.readWrite, 0) }
  /// `TransactionOptions.ReadWrite.concurrency_mode`.
  public static var readWriteConcurrencyMode: Field<ConcurrencyMode> {
    Field<ConcurrencyMode>(.readWrite, 1)
  }

  /// `TransactionOptions.ReadOnly.read_time`.
  public static var readOnlyReadTime: Field<Timestamp?> { Field<Timestamp?>(.readOnly, 0) }

  /// `RequestOptions.request_tags`.
  public static var requestOptionsRequestTags: Field<[Text]> { Field<[Text]>(.requestOptions, 0) }
}
