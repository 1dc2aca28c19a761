public import RulesLang

/// A list request: a collection or collection group, filters, order, limit.
public struct Query: Sendable {
  /// The comparison of a filter.
  public enum Comparison: Sendable {
    case equal, notEqual, less, lessEqual, greater, greaterEqual
    case arrayContains
    /// The field equals an element of the list; one disjunct for each.
    case `in`
    /// The field is a list that contains an element of the operand; one disjunct for each.
    case arrayContainsAny
    /// The field equals no element of the list.
    case notIn
  }

  /// A condition on the documents that a query returns.
  public indirect enum Filter: Sendable {
    case field(FieldPath, Comparison, Value)
    case and([Filter])
    case or([Filter])
  }

  /// One sort key of the query.
  public struct Order: Sendable {
    /// The field.
    public var field: FieldPath
    /// True if large values come first.
    public var isDescending: Bool

    /// Creates a sort key.
    public init(_ field: FieldPath, isDescending: Bool) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// The document above the collection; empty for the root.
  public var parent: DocumentPath
  /// The ID of the collection; empty for all collections, where rules see none.
  public var collection: Text
  /// True if it is a collection group query: every collection with the ID below `parent`.
  public var isCollectionGroup = false
  /// The condition on the documents; nil for all.
  public var filter: Filter?
  /// The sort keys.
  public var orderBy: [Order] = []
  /// Maximum documents returned; nil for all.
  public var limit: Int64?
  /// The number of documents to skip.
  public var offset: Int64 = 0
  /// True if the rules are evaluated although Firestore will refuse the query: a listener to a filtered group
  /// below a document, to two array-contains or to negative numbers is refused only after the rules allow it.
  public var isRefusedLater = false

  /// Creates a query of all documents of a collection.
  public init(parent: DocumentPath, collection: Text) {
    self.parent = parent
    self.collection = collection
  }
}

extension Query {
  /// Returns the alternatives of a filter on one field, each a conjunction of comparisons.
  static func alternatives(
    for comparison: Comparison, with value: Value
  ) -> [[Constraint.Entry]] {
    switch comparison {
    case .equal: [[Constraint.Entry(.equal, value: value)]]
    case .notEqual: [[Constraint.Entry(.notEqual, value: value)]]
    case .less: [range(.less, than: value)]
    case .lessEqual: [range(.lessEqual, than: value)]
    case .greater: [range(.greater, than: value)]
    case .greaterEqual: [range(.greaterEqual, than: value)]
    case .arrayContains: [containing(value)]
    case .in:
      elements(value).map { $0.isNullOrNaN ? nothing : [Constraint.Entry(.equal, value: $0)] }
    case .arrayContainsAny: elements(value).map { containing($0) }
    case .notIn: [elements(value).flatMap { excluding($0) }]
    }
  }

  /// The comparisons for a filter that matches no document: equal to true and to false.
  private static let nothing = [
    Constraint.Entry(.equal, value: .bool(true)), Constraint.Entry(.equal, value: .bool(false)),
  ]

  private static func range(
    _ comparator: Constraint.Comparator, than value: Value
  ) -> [Constraint.Entry] {
    value.isNullOrNaN ? nothing : [Constraint.Entry(comparator, value: value)]
  }

  /// Returns the comparisons for an array-contains: one with null or NaN matches no list, and the engine then
  /// has a list that contains an empty list.
  private static func containing(_ value: Value) -> [Constraint.Entry] {
    [Constraint.Entry(.listContains, value: value.isNullOrNaN ? .list([]) : value)]
  }

  private static func excluding(_ value: Value) -> [Constraint.Entry] {
    if case .null = value { return nothing }
    return [Constraint.Entry(.notEqual, value: value.isNullOrNaN ? .null : value)]
  }

  /// The elements of a list; a value of another type alone.
  static func elements(_ value: Value) -> [Value] {
    if case .list(let elements) = value { return elements }
    return [value]
  }
}

extension Constraint.Entry {
  /// True if both are the same comparison with the same value.
  func isSame(as other: Constraint.Entry) -> Bool {
    comparator == other.comparator && Value.areIdentical(value, other.value)
  }
}

extension Value {
  /// True if the value is null or NaN, which ranges and lists of values never match.
  var isNullOrNaN: Bool {
    switch self {
    case .null: true
    case .float(let number): number.isNaN
    default: false
    }
  }
}
