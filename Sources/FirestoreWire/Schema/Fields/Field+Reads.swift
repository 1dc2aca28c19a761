public import RulesEval
public import RulesLang

// The fields of read requests and their responses.

extension Field {
  /// `GetDocumentRequest.name`.
  public static var getDocumentRequestName: Field<Text> { Field<Text>(.getDocumentRequest, 0) }
  /// `GetDocumentRequest.mask`.
  public static var getDocumentRequestMask: Field<WireMessage?> {
    Field<WireMessage?>(.getDocumentRequest, 1)
  }
  /// `GetDocumentRequest.transaction`.
  public static var getDocumentRequestTransaction: Field<[UInt8]?> {
    Field<[UInt8]?>(.getDocumentRequest, 2)
  }
  /// `GetDocumentRequest.read_time`.
  public static var getDocumentRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.getDocumentRequest, 3)
  }
  /// `GetDocumentRequest.request_options`.
  public static var getDocumentRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.getDocumentRequest, 4)
  }

  /// `ListDocumentsRequest.parent`.
  public static var listDocumentsRequestParent: Field<Text> {
    Field<Text>(.listDocumentsRequest, 0)
  }
  /// `ListDocumentsRequest.collection_id`.
  public static var listDocumentsRequestCollectionId: Field<Text> {
    Field<Text>(.listDocumentsRequest, 1)
  }
  /// `ListDocumentsRequest.page_size`.
  public static var listDocumentsRequestPageSize: Field<Int32> {
    Field<Int32>(.listDocumentsRequest, 2)
  }
  /// `ListDocumentsRequest.page_token`.
  public static var listDocumentsRequestPageToken: Field<Text> {
    Field<Text>(.listDocumentsRequest, 3)
  }
  /// `ListDocumentsRequest.order_by`.
  public static var listDocumentsRequestOrderBy: Field<Text> {
    Field<Text>(.listDocumentsRequest, 4)
  }
  /// `ListDocumentsRequest.mask`.
  public static var listDocumentsRequestMask: Field<WireMessage?> {
    Field<WireMessage?>(.listDocumentsRequest, 5)
  }
  /// `ListDocumentsRequest.transaction`.
  public static var listDocumentsRequestTransaction: Field<[UInt8]?> {
    Field<[UInt8]?>(.listDocumentsRequest, 6)
  }
  /// `ListDocumentsRequest.read_time`.
  public static var listDocumentsRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.listDocumentsRequest, 7)
  }
  /// `ListDocumentsRequest.show_missing`.
  public static var listDocumentsRequestShowMissing: Field<Bool> {
    Field<Bool>(.listDocumentsRequest, 8)
  }
  /// `ListDocumentsRequest.request_options`.
  public static var listDocumentsRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.listDocumentsRequest, 9)
  }

  /// `ListDocumentsResponse.documents`.
  public static var listDocumentsResponseDocuments: Field<[WireMessage]> {
    Field<[WireMessage]>(.listDocumentsResponse, 0)
  }
  /// `ListDocumentsResponse.next_page_token`.
  public static var listDocumentsResponseNextPageToken: Field<Text> {
    Field<Text>(.listDocumentsResponse, 1)
  }

  /// `BatchGetDocumentsRequest.database`.
  public static var batchGetDocumentsRequestDatabase: Field<Text> {
    Field<Text>(.batchGetDocumentsRequest, 0)
  }
  /// `BatchGetDocumentsRequest.documents`.
  public static var batchGetDocumentsRequestDocuments: Field<[Text]> {
    Field<[Text]>(.batchGetDocumentsRequest, 1)
  }
  /// `BatchGetDocumentsRequest.mask`.
  public static var batchGetDocumentsRequestMask: Field<WireMessage?> {
    Field<WireMessage?>(.batchGetDocumentsRequest, 2)
  }
  /// `BatchGetDocumentsRequest.transaction`.
  public static var batchGetDocumentsRequestTransaction: Field<[UInt8]?> {
    Field<[UInt8]?>(.batchGetDocumentsRequest, 3)
  }
  /// `BatchGetDocumentsRequest.new_transaction`.
  public static var batchGetDocumentsRequestNewTransaction: Field<WireMessage?> {
    Field<WireMessage?>(.batchGetDocumentsRequest, 4)
  }
  /// `BatchGetDocumentsRequest.read_time`.
  public static var batchGetDocumentsRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.batchGetDocumentsRequest, 5)
  }
  /// `BatchGetDocumentsRequest.request_options`.
  public static var batchGetDocumentsRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.batchGetDocumentsRequest, 6)
  }

  /// `BatchGetDocumentsResponse.found`.
  public static var batchGetDocumentsResponseFound: Field<WireMessage?> {
    Field<WireMessage?>(.batchGetDocumentsResponse, 0)
  }
  /// `BatchGetDocumentsResponse.missing`.
  public static var batchGetDocumentsResponseMissing: Field<Text?> {
    Field<Text?>(.batchGetDocumentsResponse, 1)
  }
  /// `BatchGetDocumentsResponse.transaction`.
  public static var batchGetDocumentsResponseTransaction: Field<[UInt8]> {
    Field<[UInt8]>(.batchGetDocumentsResponse, 2)
  }
  /// `BatchGetDocumentsResponse.read_time`.
  public static var batchGetDocumentsResponseReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.batchGetDocumentsResponse, 3)
  }

  /// `RunQueryRequest.parent`.
  public static var runQueryRequestParent: Field<Text> { Field<Text>(.runQueryRequest, 0) }
  /// `RunQueryRequest.structured_query`.
  public static var runQueryRequestStructuredQuery: Field<WireMessage?> {
    Field<WireMessage?>(.runQueryRequest, 1)
  }
  /// `RunQueryRequest.transaction`.
  public static var runQueryRequestTransaction: Field<[UInt8]?> {
    Field<[UInt8]?>(.runQueryRequest, 2)
  }
  /// `RunQueryRequest.new_transaction`.
  public static var runQueryRequestNewTransaction: Field<WireMessage?> {
    Field<WireMessage?>(.runQueryRequest, 3)
  }
  /// `RunQueryRequest.read_time`.
  public static var runQueryRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.runQueryRequest, 4)
  }
  /// `RunQueryRequest.explain_options`.
  public static var runQueryRequestExplainOptions: Field<WireMessage?> {
    Field<WireMessage?>(.runQueryRequest, 5)
  }
  /// `RunQueryRequest.request_options`.
  public static var runQueryRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.runQueryRequest, 6)
  }

  /// `RunQueryResponse.document`.
  public static var runQueryResponseDocument: Field<WireMessage?> {
    Field<WireMessage?>(.runQueryResponse, 0)
  }
  /// `RunQueryResponse.transaction`.
  public static var runQueryResponseTransaction: Field<[UInt8]> {
    Field<[UInt8]>(.runQueryResponse, 1)
  }
  /// `RunQueryResponse.read_time`.
  public static var runQueryResponseReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.runQueryResponse, 2)
  }
  /// `RunQueryResponse.skipped_results`.
  public static var runQueryResponseSkippedResults: Field<Int32> {
    Field<Int32>(.runQueryResponse, 3)
  }
  /// `RunQueryResponse.done`.
  public static var runQueryResponseDone: Field<Bool?> { Field<Bool?>(.runQueryResponse, 4) }

  /// `RunAggregationQueryRequest.parent`.
  public static var runAggregationQueryRequestParent: Field<Text> {
    Field<Text>(.runAggregationQueryRequest, 0)
  }
  /// `RunAggregationQueryRequest.structured_aggregation_query`.
  public static var runAggregationQueryRequestStructuredAggregationQuery: Field<WireMessage?> {
    Field<WireMessage?>(.runAggregationQueryRequest, 1)
  }
  /// `RunAggregationQueryRequest.transaction`.
  public static var runAggregationQueryRequestTransaction: Field<[UInt8]?> {
    Field<[UInt8]?>(.runAggregationQueryRequest, 2)
  }
  /// `RunAggregationQueryRequest.new_transaction`.
  public static var runAggregationQueryRequestNewTransaction: Field<WireMessage?> {
    Field<WireMessage?>(.runAggregationQueryRequest, 3)
  }
  /// `RunAggregationQueryRequest.read_time`.
  public static var runAggregationQueryRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.runAggregationQueryRequest, 4)
  }
  /// `RunAggregationQueryRequest.explain_options`.
  public static var runAggregationQueryRequestExplainOptions: Field<WireMessage?> {
    Field<WireMessage?>(.runAggregationQueryRequest, 5)
  }
  /// `RunAggregationQueryRequest.request_options`.
  public static var runAggregationQueryRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.runAggregationQueryRequest, 6)
  }

  /// `RunAggregationQueryResponse.result`.
  public static var runAggregationQueryResponseResult: Field<WireMessage?> {
    Field<WireMessage?>(.runAggregationQueryResponse, 0)
  }
  /// `RunAggregationQueryResponse.transaction`.
  public static var runAggregationQueryResponseTransaction: Field<[UInt8]> {
    Field<[UInt8]>(.runAggregationQueryResponse, 1)
  }
  /// `RunAggregationQueryResponse.read_time`.
  public static var runAggregationQueryResponseReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.runAggregationQueryResponse, 2)
  }

  /// `PartitionQueryRequest.parent`.
  public static var partitionQueryRequestParent: Field<Text> {
    Field<Text>(.partitionQueryRequest, 0)
  }
  /// `PartitionQueryRequest.structured_query`.
  public static var partitionQueryRequestStructuredQuery: Field<WireMessage?> {
    Field<WireMessage?>(.partitionQueryRequest, 1)
  }
  /// `PartitionQueryRequest.partition_count`.
  public static var partitionQueryRequestPartitionCount: Field<Int64> {
    Field<Int64>(.partitionQueryRequest, 2)
  }
  /// `PartitionQueryRequest.page_token`.
  public static var partitionQueryRequestPageToken: Field<Text> {
    Field<Text>(.partitionQueryRequest, 3)
  }
  /// `PartitionQueryRequest.page_size`.
  public static var partitionQueryRequestPageSize: Field<Int32> {
    Field<Int32>(.partitionQueryRequest, 4)
  }
  /// `PartitionQueryRequest.read_time`.
  public static var partitionQueryRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.partitionQueryRequest, 5)
  }
  /// `PartitionQueryRequest.request_options`.
  public static var partitionQueryRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.partitionQueryRequest, 6)
  }

  /// `PartitionQueryResponse.partitions`.
  public static var partitionQueryResponsePartitions: Field<[WireMessage]> {
    Field<[WireMessage]>(.partitionQueryResponse, 0)
  }
  /// `PartitionQueryResponse.next_page_token`.
  public static var partitionQueryResponseNextPageToken: Field<Text> {
    Field<Text>(.partitionQueryResponse, 1)
  }

  /// `ListCollectionIdsRequest.parent`.
  public static var listCollectionIdsRequestParent: Field<Text> {
    Field<Text>(.listCollectionIdsRequest, 0)
  }
  /// `ListCollectionIdsRequest.page_size`.
  public static var listCollectionIdsRequestPageSize: Field<Int32> {
    Field<Int32>(.listCollectionIdsRequest, 1)
  }
  /// `ListCollectionIdsRequest.page_token`.
  public static var listCollectionIdsRequestPageToken: Field<Text> {
    Field<Text>(.listCollectionIdsRequest, 2)
  }
  /// `ListCollectionIdsRequest.read_time`.
  public static var listCollectionIdsRequestReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.listCollectionIdsRequest, 3)
  }
  /// `ListCollectionIdsRequest.request_options`.
  public static var listCollectionIdsRequestRequestOptions: Field<WireMessage?> {
    Field<WireMessage?>(.listCollectionIdsRequest, 4)
  }

  /// `ListCollectionIdsResponse.collection_ids`.
  public static var listCollectionIdsResponseCollectionIds: Field<[Text]> {
    Field<[Text]>(.listCollectionIdsResponse, 0)
  }
  /// `ListCollectionIdsResponse.next_page_token`.
  public static var listCollectionIdsResponseNextPageToken: Field<Text> {
    Field<Text>(.listCollectionIdsResponse, 1)
  }
}
