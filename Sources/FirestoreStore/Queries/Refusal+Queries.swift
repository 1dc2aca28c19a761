package import RulesEval
import RulesLang

// The official emulator's messages about queries (Docs/Emulator.md, Queries).

extension Refusal {
  /// The refusal of a query for a mistake in its filter.
  package init(_ mistake: FilterMistake) {
    self = .invalidArgument(Self.message(mistake))
  }

  private static func message(_ mistake: FilterMistake) -> String {
    switch mistake {
    case .emptyOr: "Composite filter must have at least one sub-filter."
    case .negations:
      "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
    case .notInBesideOr:
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
    case .disjunctions:
      "Too many disjunctions after normalization, the maximum is \(Query.maximumDisjuncts)"
    case .arrayContains: "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
    case .nameContains: "the name __key__ is reserved"
    case .nameNoDocument: "__key__ filter value must be a Key"
    case .noValues(let comparison): "'\(comparison.word)' requires an non-empty ArrayValue."
    case .values(let comparison, let limit):
      "'\(comparison.word)' supports up to \(limit) comparison values."
    }
  }

  /// Returns the refusal of a comparison whose operand has to be a list and is not.
  static func noList(for comparison: Query.Comparison) -> Refusal {
    .invalidArgument("'\(comparison.word)' requires an ArrayValue.")
  }

  /// Returns the refusal of an order that contains a field twice.
  static func duplicateOrder(_ field: FieldPath) -> Refusal {
    .invalidArgument("order by clause cannot contain duplicate fields \(quoting(field.text))")
  }

  /// The refusal of an order that continues after the name of the document.
  static let orderBehindName = invalidArgument(
    "order by clause cannot contain more fields after the key")

  /// The refusal of a cursor with more values than the query has orders.
  static let longCursor = invalidArgument("Cursor has too many values.")

  /// The refusal of a cursor whose value for the document's name is not a reference.
  static let cursorName = invalidArgument("Cursor __key__ value is not a document reference.")

  /// The refusal of a nearest-neighbour search without a limit, or with too large a limit.
  static let nearestLimit = invalidArgument(
    "FindNearest.limit must be a positive integer of no more than \(NearestSearch.greatestLimit)")

  /// The refusal of a nearest-neighbour search with a query value that is not a vector.
  static let nearestVector = invalidArgument("Query Value must be of type vector.")

  /// Returns the refusal of a limit or an offset beside a nearest-neighbour search, which has its own limit.
  static func nearestWith(_ part: String) -> Refusal {
    .invalidArgument("A query \(part) cannot be used with FindNearest")
  }

  /// The refusal of a collection group below a document that is filtered or ordered by fields.
  static let groupBelowDocument = invalidArgument(
    "collection group queries are only allowed at the root parent")

  /// The refusal of a listener to a collection group below a document that is filtered or ordered by fields.
  static let listeningToGroupBelowDocument = failedPrecondition(
    "collection group queries are only allowed if they're at the root or they're an ascending primary "
      + "key scan")

  /// The refusal of a listener to a query with two `array-contains` conditions.
  static let listeningToContains = failedPrecondition(
    "Only a single array-contains clause is allowed in a query")

  /// The refusal of aggregated fields if the query selects only names.
  static let aggregatedNames = invalidArgument(
    "Aggregation over non-key properties is not supported for base query that only returns keys.")

  /// Returns the refusal of an aggregated field that the query does not select.
  static func aggregatedBesideSelection(_ field: FieldPath) -> Refusal {
    .invalidArgument(
      "The aggregation property \(quoting(field.text)) is not present in the base query's property mask."
    )
  }

  /// The refusal of aggregated fields beside a selection of fields.
  static let aggregatedSelection = invalidArgument(
    "Cannot apply property masks when aggregation fields are present.")

  /// Returns the refusal of too many filters and orders.
  static func conditions(_ filters: Int, orders: Int, hasParent: Bool) -> Refusal {
    .invalidArgument(
      "The query may not have more than \(StoreQuery.mostConditions) filters + sort orders + ancestor "
        + "total. Currently there are \(filters) filters, \(orders) sort orders, and "
        + "\(hasParent ? "one" : "no") ancestor filter.")
  }

  /// The refusal of an equality on the document's name beside an inequality on a field.
  static let nameBesideRange = invalidArgument(
    "Equality on key is not allowed if there are other inequality fields and key does not appear in "
      + "inequalities.")

  /// The refusal of an order on documents of any collection.
  static let kindlessOrder = invalidArgument(
    "kind is required for all orders except __key__ ascending")

  /// Returns the refusal of a filter on documents of any collection.
  static func kindlessFilter(_ field: FieldPath, isOfElements: Bool) -> Refusal {
    .invalidArgument(
      "kind is required for filter: \(quoting(field.text))\(isOfElements ? "[*]" : "")")
  }

  /// Returns the refusal of aggregated fields after an order by the document's name.
  static func aggregatedBehindName(_ fields: [FieldPath]) -> Refusal {
    let names = fields.map { quoting($0.text) }.joined(separator: ", ")
    return .invalidArgument(
      "This query requires an index that has fields [\(names)] after __name__ and Firestore does not "
        + "currently support such an index. Please try the query again with additional ordering on "
        + "those fields.")
  }

  /// The refusal of an aggregation query without aggregations.
  static let noAggregations = invalidArgument("Aggregations can not be empty.")

  /// Returns the refusal of too many aggregations.
  static func aggregations(_ count: Int) -> Refusal {
    .invalidArgument(
      "The maximum number of aggregations allowed in an aggregation query is "
        + "\(Aggregation.mostInQuery). Received: \(count)")
  }

  /// Returns the refusal of two aggregations with one name.
  static func duplicateAlias(_ alias: Text) -> Refusal {
    .invalidArgument("Aggregation aliases contain duplicate alias: \(quoting(alias)).")
  }
}
