public import RulesEval
public import RulesLang

/// A position among the results of a query.
public struct Cursor: Sendable {
  /// The values of the first sort keys.
  public var values: [Value]
  /// True if the position is before the documents with these values, false if after.
  public var isBefore: Bool

  /// Creates a position.
  public init(values: [Value], isBefore: Bool) {
    self.values = values
    self.isBefore = isBefore
  }
}

/// A query as received.
public struct StoreQuery: Sendable {
  /// The document that contains the collections; empty for the root.
  public var parent: DocumentPath
  /// The ID of the collection; nil for documents of any collection.
  public var collection: Text?
  /// True for collections at any depth below `parent`.
  public var allDescendants: Bool
  /// The filter; nil for all documents.
  public var filter: StoreFilter?
  /// The orders that the query names; further ones are implied.
  public var orders: [Query.Order] = []
  /// The start of the results; nil for the first document.
  public var start: Cursor?
  /// The end of the results; nil for the last document.
  public var end: Cursor?
  /// The number of results to skip.
  public var offset: Int64 = 0
  /// Maximum number of results; nil for all.
  public var limit: Int64?
  /// The selected fields of the results; nil for all.
  public var selection: [FieldPath]?
  /// A nearest-neighbour search among the results; nil for none.
  public var nearest: NearestSearch?

  /// Creates a query of all documents of a collection, or of any collection if the ID is nil or empty.
  public init(parent: DocumentPath, collection: Text?, allDescendants: Bool = false) {
    self.parent = parent
    self.collection = collection?.isEmpty == true ? nil : collection
    self.allDescendants = allDescendants
  }

  /// Returns a listener's query as the rules see it. They are evaluated before some mistakes are found.
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

/// A search for the documents with the vectors nearest to a query vector.
public struct NearestSearch: Sendable {
  /// The distance measure of two vectors.
  public enum Measure: Sendable {
    case euclidean, cosine, dotProduct
  }

  /// The field of the vectors.
  public var field: FieldPath
  /// The query vector.
  public var vector: Value
  /// The measure.
  public var measure: Measure
  /// Maximum number of results; required, so a missing one is refused.
  public var limit: Int64?
  /// The field of the results that receives the distance: a single name, not a path.
  public var resultField: FieldPath?
  /// The maximum distance, or the minimum dot product.
  public var threshold: Double?

  /// Creates a search.
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
