import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Queries, aggregates and lists.

extension Backend {
  /// The refusal of requests that only administrators may make.
  static let metadataRefusal = "Metadata operations require admin authentication."

  /// Answers RunQuery: one message for each document; the last one has `done`.
  mutating func runQuery(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.runQueryRequestParent])
    let id = parent.database
    let options = ReadOptions(
      transaction: request[.runQueryRequestTransaction],
      newTransaction: request[.runQueryRequestNewTransaction],
      readTime: request[.runQueryRequestReadTime])
    let message = request[.runQueryRequestStructuredQuery]
    try check(negationsOf: message, options, in: id, for: call)
    let query = try query(message, parent: parent)
    let snapshot = try snapshot(options, in: id, for: call)
    try authorize(query, in: id, on: snapshot, for: call)
    let store = store(of: snapshot, in: id)
    let found = try CallStatus.of { () throws(Refusal) in try store.run(query) }
    var answers: [WireMessage] = []
    if !snapshot.begun.isEmpty {
      answers.append(
        WireMessage(.runQueryResponse) { $0[.runQueryResponseTransaction] = snapshot.begun })
    }
    for (place, document) in found.enumerated() {
      answers.append(
        WireMessage(.runQueryResponse) {
          $0[.runQueryResponseDocument] = id.message(of: document)
          $0[.runQueryResponseReadTime] = snapshot.time
          // The last message has no `skippedResults`; as on the official emulator, `done` replaces it.
          guard query.offset > 0, place < found.count - 1 else { return }
          $0[.runQueryResponseSkippedResults] = Int32(clamping: query.offset)
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
    let options = ReadOptions(
      transaction: request[.runAggregationQueryRequestTransaction],
      newTransaction: request[.runAggregationQueryRequestNewTransaction],
      readTime: request[.runAggregationQueryRequestReadTime])
    let message = asked[.structuredAggregationQueryStructuredQuery]
    try check(negationsOf: message, options, in: id, for: call)
    let aggregations = try CallStatus.of { () throws(Refusal) in
      try Aggregation.all(asked[.structuredAggregationQueryAggregations])
    }
    let query = try CallStatus.of { () throws(Refusal) in
      let query = try StoreQuery(message, parent: parent)
      try query.check(aggregations, in: id)
      return query
    }
    let snapshot = try snapshot(options, in: id, for: call)
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
    let options = ReadOptions(
      transaction: request[.listDocumentsRequestTransaction],
      readTime: request[.listDocumentsRequestReadTime])
    try checkTransaction(options.transactionID, in: id, for: call)
    let list = try CallStatus.of { () throws(Refusal) in
      let list = try ListRequest(request, parent: parent.path)
      try list.check(in: id)
      return list
    }
    // The official emulator always reads the mask, and applies it unless missing documents are requested.
    let asked = try Self.mask(request[.listDocumentsRequestMask])
    let mask = list.showsMissing ? nil : asked
    if list.showsMissing { try checkAdmin(call, saying: Self.metadataRefusal) }
    let query = list.query
    let snapshot = try snapshot(options, in: id, for: call)
    try authorize(query, in: id, on: snapshot, for: call)
    let store = store(of: snapshot, in: id)
    let page = try CallStatus.of { () throws(Refusal) in try store.list(list) }
    let answer = WireMessage(.listDocumentsResponse) {
      $0[.listDocumentsResponseDocuments] = page.documents.map { listed in
        guard let document = listed.stored else {
          return WireMessage(.document) {
            $0[.documentName] = id.name(of: listed.path)
            $0[.documentUpdateTime] = store.deletion(of: listed.path)
          }
        }
        return id.message(of: document.selecting(mask))
      }
      $0[.listDocumentsResponseNextPageToken] = page.nextPageToken
    }
    return [answer]
  }

  /// Answers ListCollectionIds, which only administrators may call.
  mutating func listCollectionIds(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.listCollectionIdsRequestParent])
    try checkAdmin(call, saying: Self.metadataRefusal)
    let options = ReadOptions(readTime: request[.listCollectionIdsRequestReadTime])
    let snapshot = try snapshot(options, in: parent.database, for: call)
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

  /// Answers PartitionQuery without cursors, that is with one partition, as production does for small
  /// collections.
  mutating func partitionQuery(
    _ request: WireMessage, for call: CallContext
  ) throws(CallStatus) -> [WireMessage] {
    let parent = try parent(request[.partitionQueryRequestParent])
    let message = request[.partitionQueryRequestStructuredQuery]
    try check(negationsOf: message, ReadOptions(), in: parent.database, for: call)
    _ = try query(message, parent: parent)
    try checkAdmin(call, saying: Self.metadataRefusal)
    return [WireMessage(.partitionQueryResponse)]
  }

  /// Reads and checks a query.
  private func query(
    _ message: WireMessage?, parent: ResourceName
  ) throws(CallStatus) -> StoreQuery {
    try CallStatus.of { () throws(Refusal) in
      let query = try StoreQuery(message, parent: parent)
      try query.check(in: parent.database)
      return query
    }
  }

  /// Makes the checks that come first: the query's negations, then its transaction.
  private mutating func check(
    negationsOf message: WireMessage?, _ options: ReadOptions, in id: DatabaseID,
    for call: CallContext
  ) throws(CallStatus) {
    try CallStatus.of { () throws(Refusal) in
      try StoreFilter.checkNegations(message)
    }
    try checkTransaction(options.transactionID, in: id, for: call)
  }

  /// Decides a query by the rules, and locks what it reads.
  private mutating func authorize(
    _ query: StoreQuery, in id: DatabaseID, on snapshot: Snapshot, for call: CallContext
  ) throws(CallStatus) {
    try authorize(
      .list(query.rulesQuery), locking: query.lockTarget.map { [$0] }, in: id, on: snapshot,
      for: call)
  }
}

extension ListRequest {
  /// Reads a request for the documents of a collection.
  fileprivate init(_ request: WireMessage, parent: DocumentPath) throws(Refusal) {
    self.init(parent: parent, collection: request[.listDocumentsRequestCollectionId])
    pageSize = Int(request[.listDocumentsRequestPageSize])
    pageToken = request[.listDocumentsRequestPageToken]
    showsMissing = request[.listDocumentsRequestShowMissing]
    if pageSize < 0 { throw Refusal(code: 3, message: "Page size must be nonnegative.") }
    if showsMissing, collection.isEmpty {
      throw Refusal(code: 3, message: "collection id must be set when show_missing is true")
    }
    orders = try Self.orders(request[.listDocumentsRequestOrderBy])
  }
}
