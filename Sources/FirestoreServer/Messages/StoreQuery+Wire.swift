import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension StoreQuery {
  /// Reads the query of a request to a database and checks each part in order, since the official emulator
  /// reports the first of several mistakes (Docs/Fidelity.md, Queries). The store checks the rest, numbers
  /// and combinations.
  init(_ query: WireMessage?, parent: ResourceName) throws(Refusal) {
    let id = parent.database
    let query = query ?? WireMessage(.structuredQuery)
    let selectors = query[.structuredQueryFrom]
    guard selectors.count <= 1 else {
      throw Refusal(
        code: 3, message: "StructuredQuery.from cannot have more than one collection selector.")
    }
    let collection = selectors.first?[.collectionSelectorCollectionId]
    self.init(
      parent: parent.path, collection: collection,
      allDescendants: selectors.first?[.collectionSelectorAllDescendants] ?? false)
    try collection?.checkCollection()
    if let filter = query[.structuredQueryWhere] {
      self.filter = try StoreFilter(filter, in: id)
    }
    if let projection = query[.structuredQuerySelect] {
      var fields: [FieldPath] = []
      for field in projection[.projectionFields] {
        fields.append(try FieldPath(reference: field))
      }
      selection = fields
    }
    for order in query[.structuredQueryOrderBy] {
      let field = try FieldPath(reference: order[.orderField])
      orders.append(Query.Order(field, isDescending: order[.orderDirection] == .descending))
    }
    start = query[.structuredQueryStartAt].map { Cursor($0) }
    end = query[.structuredQueryEndAt].map { Cursor($0) }
    try start?.check(for: orders, in: id)
    try end?.check(for: orders, in: id)
    offset = Int64(query[.structuredQueryOffset])
    limit = query[.structuredQueryLimit].map { Int64($0) }
    if let nearest = query[.structuredQueryFindNearest] {
      self.nearest = try NearestSearch(nearest)
    }
  }
}

extension Cursor {
  fileprivate init(_ message: WireMessage) {
    self.init(values: message[.cursorValues], isBefore: message[.cursorBefore])
  }
}

extension NearestSearch {
  fileprivate init(_ message: WireMessage) throws(Refusal) {
    let measure: Measure
    switch message[.findNearestDistanceMeasure] {
    case .euclidean: measure = .euclidean
    case .cosine: measure = .cosine
    case .dotProduct: measure = .dotProduct
    case .unspecified:
      throw Refusal(code: 3, message: "Unknown Distance Measure.")
    }
    let result = message[.findNearestDistanceResultField]
    self.init(
      field: try FieldPath(reference: message[.findNearestVectorField]),
      vector: message[.findNearestQueryVector] ?? .null, measure: measure,
      limit: message[.findNearestLimit].map { Int64($0) },
      resultField: result.isEmpty ? nil : try FieldPath(mask: result),
      threshold: message[.findNearestDistanceThreshold])
  }
}

extension Aggregation {
  /// Reads the aggregates of a query.
  static func all(_ messages: [WireMessage]) throws(Refusal) -> [Aggregation] {
    var all: [Aggregation] = []
    for message in messages { all.append(try Aggregation(message)) }
    return all
  }

  private init(_ message: WireMessage) throws(Refusal) {
    let alias = message[.aggregationAlias]
    if let count = message[.aggregationCount] {
      self.init(.count(upTo: count[.countUpTo]), alias: alias)
    } else if let sum = message[.aggregationSum] {
      self.init(.sum(try FieldPath(reference: sum[.sumField])), alias: alias)
    } else if let average = message[.aggregationAvg] {
      self.init(.average(try FieldPath(reference: average[.avgField])), alias: alias)
    } else {
      throw Refusal(code: 3, message: "Operator field in Aggregation is not set.")
    }
    try checkLimit()
  }
}
