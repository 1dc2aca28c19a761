public import RulesEval
public import RulesLang

/// A position among the results of a query.
public struct Cursor: Sendable {
  /// Values of the first keys of the order.
  public var values: [Value]
  /// True if the position is before the documents with these values, false if behind.
  public var isBefore: Bool

  /// Makes a position.
  public init(values: [Value], isBefore: Bool) {
    self.values = values
    self.isBefore = isBefore
  }
}

/// A query, as it comes over the wire.
public struct StoreQuery: Sendable {
  /// The document that the collections are below; empty for the root.
  public var parent: DocumentPath
  /// The ID of the collection; nil for documents of any collection.
  public var collection: Text?
  /// True if collections at any depth below `parent` are meant.
  public var allDescendants: Bool
  /// The filter; nil for all documents.
  public var filter: StoreFilter?
  /// The order that the query asks for; more keys are implied.
  public var orders: [Query.Order] = []
  /// The beginning of the results; nil for the first document.
  public var start: Cursor?
  /// The end of the results; nil for the last document.
  public var end: Cursor?
  /// Results to skip.
  public var offset: Int64 = 0
  /// The largest number of results; nil for all.
  public var limit: Int64?
  /// The fields of the results; nil for all.
  public var selection: [FieldPath]?
  /// A search for the nearest vectors among the results; nil for none.
  public var nearest: NearestSearch?

  /// Makes a query of all documents of a collection, or with nil or an empty ID, of any collection.
  public init(parent: DocumentPath, collection: Text?, allDescendants: Bool = false) {
    self.parent = parent
    self.collection = collection?.isEmpty == true ? nil : collection
    self.allDescendants = allDescendants
  }

  /// Returns the query of a listener as the rules see it: they are evaluated before some mistakes are found.
  public func listenersQuery(in id: DatabaseID) -> Query {
    var query = rulesQuery
    query.isRefusedLater = listeningRefusal(in: id) != nil
    return query
  }

  /// The query as the rules see it.
  public var rulesQuery: Query {
    var query = Query(parent: parent, collection: collection ?? Text())
    query.isCollectionGroup = allDescendants
    query.filter = filter?.rulesFilter
    query.orderBy = orders
    query.limit = limit
    query.offset = offset
    return query
  }
}

/// A search for the documents whose vectors are nearest to one.
public struct NearestSearch: Sendable {
  /// The distance measure of two vectors.
  public enum Measure: Sendable {
    case euclidean, cosine, dotProduct
  }

  /// The field of the vectors.
  public var field: FieldPath
  /// The vector to be near to.
  public var vector: Value
  /// The measure.
  public var measure: Measure
  /// The largest number of results, which must be there.
  public var limit: Int64?
  /// The field of the results that gets the distance: one name, which is no path on the wire.
  public var resultField: FieldPath?
  /// The greatest distance, or the least product.
  public var threshold: Double?

  /// Makes a search.
  public init(
    field: FieldPath, vector: Value, measure: Measure, limit: Int64?,
    resultField: FieldPath? = nil, threshold: Double? = nil
  ) {
    self.field = field
    self.vector = vector
    self.measure = measure
    self.limit = limit
    self.resultField = resultField
    self.threshold = threshold
  }
}
