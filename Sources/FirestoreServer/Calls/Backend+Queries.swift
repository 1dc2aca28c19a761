import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Queries, aggregates and lists.

extension Backend {
  /// The message for what only administrators may ask.
  static let metadataRefusal = "Metadata operations require admin authentication."

  /// Answers RunQuery: a message a document; the last one says that it is the last.
  mutating func runQuery(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.runQueryRequestParent])
    let id = parent.database
    let query = try query(request[.runQueryRequestStructuredQuery], parent: parent)
    let options = ReadOptions(
      transaction: request[.runQueryRequestTransaction],
      newTransaction: request[.runQueryRequestNewTransaction],
      readTime: request[.runQueryRequestReadTime])
    let snapshot = try snapshot(options, locking: [query.lockTarget], in: id, for: call)
    try authorize(query, in: id, on: snapshot, for: call)
    let store = store(of: snapshot, in: id)
    let found = try CallStatus.of { () throws(Refusal) in try store.run(query) }
    var answers: [WireMessage] = []
    if !snapshot.begun.isEmpty {
      answers.append(
        WireMessage(.runQueryResponse) { $0[.runQueryResponseTransaction] = snapshot.begun })
    }
    for document in found {
      answers.append(
        WireMessage(.runQueryResponse) {
          $0[.runQueryResponseDocument] = id.message(of: document)
          $0[.runQueryResponseReadTime] = snapshot.time
        })
    }
    if found.isEmpty {
      answers.append(
        WireMessage(.runQueryResponse) { $0[.runQueryResponseReadTime] = snapshot.time })
    }
    answers[answers.count - 1][.runQueryResponseDone] = true
    return answers
  }

  /// Answers RunAggregationQuery.
  mutating func runAggregationQuery(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.runAggregationQueryRequestParent])
    let id = parent.database
    let asked =
      request[.runAggregationQueryRequestStructuredAggregationQuery]
      ?? WireMessage(.structuredAggregationQuery)
    let query = try query(asked[.structuredAggregationQueryStructuredQuery], parent: parent)
    let aggregations = try CallStatus.of { () throws(Refusal) in
      let aggregations = try Aggregation.all(asked[.structuredAggregationQueryAggregations])
      try query.check(aggregations, in: id)
      return aggregations
    }
    let options = ReadOptions(
      transaction: request[.runAggregationQueryRequestTransaction],
      newTransaction: request[.runAggregationQueryRequestNewTransaction],
      readTime: request[.runAggregationQueryRequestReadTime])
    let snapshot = try snapshot(options, locking: [query.lockTarget], in: id, for: call)
    try authorize(query, in: id, on: snapshot, for: call)
    let store = store(of: snapshot, in: id)
    let found = try CallStatus.of { () throws(Refusal) in
      try store.aggregate(query, aggregations)
    }
    var fields = MapValue()
    for (alias, value) in found { fields[alias] = value }
    let answer = WireMessage(.runAggregationQueryResponse) {
      $0[.runAggregationQueryResponseResult] = WireMessage(.aggregationResult) {
        $0[.aggregationResultAggregateFields] = fields
      }
      $0[.runAggregationQueryResponseTransaction] = snapshot.begun
      $0[.runAggregationQueryResponseReadTime] = snapshot.time
    }
    return [answer]
  }

  /// Answers ListDocuments.
  mutating func listDocuments(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.listDocumentsRequestParent])
    let id = parent.database
    let mask = try Self.mask(request[.listDocumentsRequestMask])
    var list = ListRequest(
      parent: parent.path, collection: request[.listDocumentsRequestCollectionId])
    list.pageSize = Int(request[.listDocumentsRequestPageSize])
    list.pageToken = request[.listDocumentsRequestPageToken]
    list.showsMissing = request[.listDocumentsRequestShowMissing]
    let orders = try CallStatus.of { () throws(Refusal) in
      try ListRequest.orders(request[.listDocumentsRequestOrderBy])
    }
    list.orders = orders
    if list.showsMissing {
      if list.collection.isEmpty {
        throw .invalid("collection id must be set when show_missing is true")
      }
      try checkAdmin(call, saying: Self.metadataRefusal)
    }
    let query = list.query
    try CallStatus.of { () throws(Refusal) in try query.check(in: id) }
    let options = ReadOptions(
      transaction: request[.listDocumentsRequestTransaction],
      readTime: request[.listDocumentsRequestReadTime])
    let snapshot = try snapshot(options, locking: [query.lockTarget], in: id, for: call)
    try authorize(query, in: id, on: snapshot, for: call)
    let store = store(of: snapshot, in: id)
    let listed = list
    let page = try CallStatus.of { () throws(Refusal) in try store.list(listed) }
    let answer = WireMessage(.listDocumentsResponse) {
      $0[.listDocumentsResponseDocuments] = page.documents.map { listed in
        guard let document = listed.stored else {
          return WireMessage(.document) { $0[.documentName] = id.name(of: listed.path) }
        }
        return id.message(of: document.selecting(mask))
      }
      $0[.listDocumentsResponseNextPageToken] = page.nextPageToken
    }
    return [answer]
  }

  /// Answers ListCollectionIds, which only administrators may ask.
  mutating func listCollectionIds(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.listCollectionIdsRequestParent])
    try checkAdmin(call, saying: Self.metadataRefusal)
    let options = ReadOptions(readTime: request[.listCollectionIdsRequestReadTime])
    let snapshot = try snapshot(options, locking: [], in: parent.database, for: call)
    let store = store(of: snapshot, in: parent.database)
    let (ids, token) = try CallStatus.of { () throws(Refusal) in
      try store.collections(
        below: parent.path, pageSize: Int(request[.listCollectionIdsRequestPageSize]),
        pageToken: request[.listCollectionIdsRequestPageToken])
    }
    let answer = WireMessage(.listCollectionIdsResponse) {
      $0[.listCollectionIdsResponseCollectionIds] = ids
      $0[.listCollectionIdsResponseNextPageToken] = token
    }
    return [answer]
  }

  /// Answers PartitionQuery with no cursors: one partition, as small collections have in production.
  mutating func partitionQuery(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.partitionQueryRequestParent])
    _ = try query(request[.partitionQueryRequestStructuredQuery], parent: parent)
    try checkAdmin(call, saying: Self.metadataRefusal)
    return [WireMessage(.partitionQueryResponse)]
  }

  /// Reads and checks a query.
  func query(
    _ message: WireMessage?, parent: ResourceName
  ) throws(CallStatus) -> StoreQuery {
    try CallStatus.of { () throws(Refusal) in
      let query = try StoreQuery(message, parent: parent.path)
      try query.check(in: parent.database)
      return query
    }
  }

  /// Asks the rules about a query. Kindless queries are for administrators only.
  private mutating func authorize(
    _ query: StoreQuery, in id: DatabaseID, on snapshot: Snapshot, for call: CallContext
  ) throws(CallStatus) {
    guard let rulesQuery = query.rulesQuery else {
      return try checkAdmin(call, saying: Self.metadataRefusal)
    }
    try authorize(.list(rulesQuery), in: id, on: snapshot, for: call)
  }
}
