import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension StoreQuery {
  /// Reads the query of a request to a database. Limits and combinations are checked by the store.
  init(_ query: WireMessage?, parent: DocumentPath) throws(Refusal) {
    let query = query ?? WireMessage(.structuredQuery)
    let selectors = query[.structuredQueryFrom]
    guard selectors.count <= 1 else {
      throw Refusal(
        code: 3, message: "StructuredQuery.from cannot have more than one collection selector.")
    }
    self.init(
      parent: parent, collection: selectors.first?[.collectionSelectorCollectionId],
      allDescendants: selectors.first?[.collectionSelectorAllDescendants] ?? false)
    if let filter = query[.structuredQueryWhere] { self.filter = try StoreFilter(filter) }
    for order in query[.structuredQueryOrderBy] {
      let field = try FieldPath(reference: order[.orderField])
      orders.append(Query.Order(field, isDescending: order[.orderDirection] == .descending))
    }
    start = query[.structuredQueryStartAt].map { Cursor($0) }
    end = query[.structuredQueryEndAt].map { Cursor($0) }
    offset = Int64(query[.structuredQueryOffset])
    limit = query[.structuredQueryLimit].map { Int64($0) }
    if let projection = query[.structuredQuerySelect] {
      var fields: [FieldPath] = []
      for field in projection[.projectionFields] {
        fields.append(try FieldPath(reference: field))
      }
      selection = fields
    }
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

extension FieldPath {
  /// Reads a reference to a field; without one the path is empty, which is refused.
  fileprivate init(reference: WireMessage?) throws(Refusal) {
    try self.init(mask: reference?[.fieldReferenceFieldPath] ?? Text())
  }
}

extension StoreFilter {
  /// Reads a filter. Messages are nested to a limited depth only.
  fileprivate init(_ message: WireMessage) throws(Refusal) {
    if let composite = message[.filterCompositeFilter] {
      var parts: [StoreFilter] = []
      for part in composite[.compositeFilterFilters] { parts.append(try StoreFilter(part)) }
      switch composite[.compositeFilterOp] {
      case .and: self = .and(parts)
      case .or: self = .or(parts)
      case .unspecified:
        throw Refusal(code: 3, message: "Composite filter operator is not specified.")
      }
    } else if let filter = message[.filterFieldFilter] {
      guard let value = filter[.fieldFilterValue] else {
        throw Refusal(code: 3, message: "Cannot convert firestore.v1.Value with type unset.")
      }
      self = .field(
        try FieldPath(reference: filter[.fieldFilterField]),
        try Query.Comparison(filter[.fieldFilterOp]), value)
    } else if let filter = message[.filterUnaryFilter] {
      let field = try FieldPath(reference: filter[.unaryFilterField])
      switch filter[.unaryFilterOp] {
      case .isNaN: self = .unary(field, .isNaN)
      case .isNull: self = .unary(field, .isNull)
      case .isNotNaN: self = .unary(field, .isNotNaN)
      case .isNotNull: self = .unary(field, .isNotNull)
      case .unspecified:
        throw Refusal(code: 3, message: "Unary filter operator is not specified.")
      }
    } else {
      throw Refusal(code: 3, message: "Filter is not specified.")
    }
  }
}

extension Query.Comparison {
  fileprivate init(_ wire: FieldOperator) throws(Refusal) {
    switch wire {
    case .lessThan: self = .less
    case .lessThanOrEqual: self = .lessEqual
    case .greaterThan: self = .greater
    case .greaterThanOrEqual: self = .greaterEqual
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .arrayContains: self = .arrayContains
    case .in: self = .in
    case .arrayContainsAny: self = .arrayContainsAny
    case .notIn: self = .notIn
    case .unspecified:
      throw Refusal(code: 3, message: "Field filter operator is not specified.")
    }
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
      throw Refusal(code: 3, message: "FindNearest.distance_measure is not specified.")
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
      throw Refusal(code: 3, message: "Aggregation operator is not specified.")
    }
  }
}
