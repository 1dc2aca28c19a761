public import RulesEval
public import RulesLang

// The fields of the two streams.

extension Field {
  /// `WriteRequest.database`.
  public static var writeRequestDatabase: Field<Text> { Field<Text>(.writeRequest, 0) }
  /// `WriteRequest.stream_id`.
  public static var writeRequestStreamId: Field<Text> { Field<Text>(.writeRequest, 1) }
  /// `WriteRequest.writes`.
  public static var writeRequestWrites: Field<[WireMessage]> {
    Field<[WireMessage]>(.writeRequest, 2)
  }
  /// `WriteRequest.stream_token`.
  public static var writeRequestStreamToken: Field<[UInt8]> { Field<[UInt8]>(.writeRequest, 3) }
  /// `WriteRequest.labels`.
  public static var writeRequestLabels: Field<[RequestLabel]> {
    Field<[RequestLabel]>(.writeRequest, 4)
  }
  /// `WriteRequest.request_options`.
  public static var writeRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.writeRequest, 5)
  }

  /// `WriteResponse.stream_id`.
  public static var writeResponseStreamId: Field<Text> { Field<Text>(.writeResponse, 0) }
  /// `WriteResponse.stream_token`.
  public static var writeResponseStreamToken: Field<[UInt8]> { Field<[UInt8]>(.writeResponse, 1) }
  /// `WriteResponse.write_results`.
  public static var writeResponseWriteResults: Field<[WireMessage]> {
    Field<[WireMessage]>(.writeResponse, 2)
  }
  /// `WriteResponse.commit_time`.
  public static var writeResponseCommitTime: Field<Timestamp?> {
    Field<Timestamp?>(.writeResponse, 3)
  }

  /// `ListenRequest.database`.
  public static var listenRequestDatabase: Field<Text> { Field<Text>(.listenRequest, 0) }
  /// `ListenRequest.add_target`.
  public static var listenRequestAddTarget: Field<WireMessage?> {
    Field<WireMessage?>(.listenRequest, 1)
  }
  /// `ListenRequest.remove_target`.
  public static var listenRequestRemoveTarget: Field<Int32?> { Field<Int32?>(.listenRequest, 2) }
  /// `ListenRequest.labels`.
  public static var listenRequestLabels: Field<[RequestLabel]> {
    Field<[RequestLabel]>(.listenRequest, 3)
  }
  /// `ListenRequest.request_options`.
  public static var listenRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.listenRequest, 4)
  }

  /// `ListenResponse.target_change`.
  public static var listenResponseTargetChange: Field<WireMessage?> {
    Field<WireMessage?>(.listenResponse, 0)
  }
  /// `ListenResponse.document_change`.
  public static var listenResponseDocumentChange: Field<WireMessage?> {
    Field<WireMessage?>(.listenResponse, 1)
  }
  /// `ListenResponse.document_delete`.
  public static var listenResponseDocumentDelete: Field<WireMessage?> {
    Field<WireMessage?>(.listenResponse, 2)
  }
  /// `ListenResponse.filter`.
  public static var listenResponseFilter: Field<WireMessage?> {
    Field<WireMessage?>(.listenResponse, 3)
  }
  /// `ListenResponse.document_remove`.
  public static var listenResponseDocumentRemove: Field<WireMessage?> {
    Field<WireMessage?>(.listenResponse, 4)
  }

  /// `Target.query`.
  public static var targetQuery: Field<WireMessage?> { Field<WireMessage?>(.target, 0) }
  /// `Target.documents`.
  public static var targetDocuments: Field<WireMessage?> { Field<WireMessage?>(.target, 1) }
  /// `Target.resume_token`.
  public static var targetResumeToken: Field<[UInt8]?> { Field<[UInt8]?>(.target, 2) }
  /// `Target.target_id`.
  public static var targetTargetId: Field<Int32> { Field<Int32>(.target, 3) }
  /// `Target.once`.
  public static var targetOnce: Field<Bool> { Field<Bool>(.target, 4) }
  /// `Target.read_time`.
  public static var targetReadTime: Field<Timestamp?> { Field<Timestamp?>(.target, 5) }
  /// `Target.expected_count`.
  public static var targetExpectedCount: Field<Int32?> { Field<Int32?>(.target, 6) }

  /// `Target.DocumentsTarget.documents`.
  public static var documentsTargetDocuments: Field<[Text]> { Field<[Text]>(.documentsTarget, 0) }

  /// `Target.QueryTarget.parent`.
  public static var queryTargetParent: Field<Text> { Field<Text>(.queryTarget, 0) }
  /// `Target.QueryTarget.structured_query`.
  public static var queryTargetStructuredQuery: Field<WireMessage?> {
    Field<WireMessage?>(.queryTarget, 1)
  }

  /// `TargetChange.target_change_type`.
  public static var targetChangeTargetChangeType: Field<TargetChangeType> {
    Field<TargetChangeType>(.targetChange, 0)
  }
  /// `TargetChange.target_ids`.
  public static var targetChangeTargetIds: Field<[Int32]> { Field<[Int32]>(.targetChange, 1) }
  /// `TargetChange.cause`.
  public static var targetChangeCause: Field<WireMessage?> { Field<WireMessage?>(.targetChange, 2) }
  /// `TargetChange.resume_token`.
  public static var targetChangeResumeToken: Field<[UInt8]> { Field<[UInt8]>(.targetChange, 3) }
  /// `TargetChange.read_time`.
  public static var targetChangeReadTime: Field<Timestamp?> { Field<Timestamp?>(.targetChange, 4) }
}
