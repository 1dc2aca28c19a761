public import RulesEval
public import RulesLang

// The fields of write requests and their responses.

extension Field {
  /// `CreateDocumentRequest.parent`.
  public static var createDocumentRequestParent: Field<Text> {
    Field<Text>(.createDocumentRequest, 0)
  }
  /// `CreateDocumentRequest.collection_id`.
  public static var createDocumentRequestCollectionId: Field<Text> {
    Field<Text>(.createDocumentRequest, 1)
  }
  /// `CreateDocumentRequest.document_id`.
  public static var createDocumentRequestDocumentId: Field<Text> {
    Field<Text>(.createDocumentRequest, 2)
  }
  /// `CreateDocumentRequest.document`.
  public static var createDocumentRequestDocument: Field<WireMessage?> {
    Field<WireMessage?>(.createDocumentRequest, 3)
  }
  /// `CreateDocumentRequest.mask`.
  public static var createDocumentRequestMask: Field<WireMessage?> {
    Field<WireMessage?>(.createDocumentRequest, 4)
  }
  /// `CreateDocumentRequest.request_options`.
  public static var createDocumentRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.createDocumentRequest, 5)
  }

  /// `UpdateDocumentRequest.document`.
  public static var updateDocumentRequestDocument: Field<WireMessage?> {
    Field<WireMessage?>(.updateDocumentRequest, 0)
  }
  /// `UpdateDocumentRequest.update_mask`.
  public static var updateDocumentRequestUpdateMask: Field<WireMessage?> {
    Field<WireMessage?>(.updateDocumentRequest, 1)
  }
  /// `UpdateDocumentRequest.mask`.
  public static var updateDocumentRequestMask: Field<WireMessage?> {
    Field<WireMessage?>(.updateDocumentRequest, 2)
  }
  /// `UpdateDocumentRequest.current_document`.
  public static var updateDocumentRequestCurrentDocument: Field<WireMessage?> {
    Field<WireMessage?>(.updateDocumentRequest, 3)
  }
  /// `UpdateDocumentRequest.request_options`.
  public static var updateDocumentRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.updateDocumentRequest, 4)
  }

  /// `DeleteDocumentRequest.name`.
  public static var deleteDocumentRequestName: Field<Text> {
    Field<Text>(.deleteDocumentRequest, 0)
  }
  /// `DeleteDocumentRequest.current_document`.
  public static var deleteDocumentRequestCurrentDocument: Field<WireMessage?> {
    Field<WireMessage?>(.deleteDocumentRequest, 1)
  }
  /// `DeleteDocumentRequest.request_options`.
  public static var deleteDocumentRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.deleteDocumentRequest, 2)
  }

  /// `BeginTransactionRequest.database`.
  public static var beginTransactionRequestDatabase: Field<Text> {
    Field<Text>(.beginTransactionRequest, 0)
  }
  /// `BeginTransactionRequest.options`.
  public static var beginTransactionRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.beginTransactionRequest, 1)
  }
  /// `BeginTransactionRequest.request_options`.
  public static var beginTransactionRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.beginTransactionRequest, 2)
  }

  /// `BeginTransactionResponse.transaction`.
  public static var beginTransactionResponseTransaction: Field<[UInt8]> {
    Field<[UInt8]>(.beginTransactionResponse, 0)
  }

  /// `CommitRequest.database`.
  public static var commitRequestDatabase: Field<Text> { Field<Text>(.commitRequest, 0) }
  /// `CommitRequest.writes`.
  public static var commitRequestWrites: Field<[WireMessage]> {
    Field<[WireMessage]>(.commitRequest, 1)
  }
  /// `CommitRequest.transaction`.
  public static var commitRequestTransaction: Field<[UInt8]> { Field<[UInt8]>(.commitRequest, 2) }
  /// `CommitRequest.request_options`.
  public static var commitRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.commitRequest, 3)
  }

  /// `CommitResponse.write_results`.
  public static var commitResponseWriteResults: Field<[WireMessage]> {
    Field<[WireMessage]>(.commitResponse, 0)
  }
  /// `CommitResponse.commit_time`.
  public static var commitResponseCommitTime: Field<Timestamp?> {
    Field<Timestamp?>(.commitResponse, 1)
  }

  /// `RollbackRequest.database`.
  public static var rollbackRequestDatabase: Field<Text> { Field<Text>(.rollbackRequest, 0) }
  /// `RollbackRequest.transaction`.
  public static var rollbackRequestTransaction: Field<[UInt8]> {
    Field<[UInt8]>(.rollbackRequest, 1)
  }
  /// `RollbackRequest.request_options`.
  public static var rollbackRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.rollbackRequest, 2)
  }

  /// `BatchWriteRequest.database`.
  public static var batchWriteRequestDatabase: Field<Text> { Field<Text>(.batchWriteRequest, 0) }
  /// `BatchWriteRequest.writes`.
  public static var batchWriteRequestWrites: Field<[WireMessage]> {
    Field<[WireMessage]>(.batchWriteRequest, 1)
  }
  /// `BatchWriteRequest.labels`.
  public static var batchWriteRequestLabels: Field<[RequestLabel]> {
    Field<[RequestLabel]>(.batchWriteRequest, 2)
  }
  /// `BatchWriteRequest.request_options`.
  public static var batchWriteRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.batchWriteRequest, 3)
  }

  /// `BatchWriteResponse.write_results`.
  public static var batchWriteResponseWriteResults: Field<[WireMessage]> {
    Field<[WireMessage]>(.batchWriteResponse, 0)
  }
  /// `BatchWriteResponse.status`.
  public static var batchWriteResponseStatus: Field<[WireMessage]> {
    Field<[WireMessage]>(.batchWriteResponse, 1)
  }

  /// `google.rpc.Status.code`.
  public static var statusCode: Field<Int32> { Field<Int32>(.status, 0) }
  /// `google.rpc.Status.message`.
  public static var statusMessage: Field<Text> { Field<Text>(.status, 1) }
}
