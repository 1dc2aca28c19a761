public import RulesLang

/// A list request: a collection or collection group, filters, order, limit.
public struct Query: Sendable {
  /// How a filter compares a field.
  public enum Comparison: Sendable {
    case equal, notEqual, less, lessEqual, greater, greaterEqual
    case arrayContains
    /// The value is a list; one disjunct for each element.
    case `in`
    /// The value is a list; one disjunct for each element.
    case arrayContainsAny
    /// The value is a list; none of its elements.
    case notIn
  }

  /// A condition on the documents that a query returns.
  public indirect enum Filter: Sendable {
    case field(FieldPath, Comparison, Value)
    case and([Filter])
    case or([Filter])
  }

  /// One key of the order.
  public struct Order: Sendable {
    /// The field.
    public var field: FieldPath
    /// Whether large values come first.
    public var isDescending: Bool

    /// Makes a key.
    public init(_ field: FieldPath, isDescending: Bool) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// The document above the collection; empty for the root.
  public var parent: DocumentPath
  /// The ID of the collection; empty if every collection is meant. Rules then see no collection.
  public var collection: Text
  /// Whether every collection with the ID below `parent` is meant.
  public var isCollectionGroup = false
  /// What the documents must satisfy; nil for all.
  public var filter: Filter?
  /// The order.
  public var orderBy: [Order] = []
  /// The largest number of documents.
  public var limit: Int64?
  /// How many documents to skip.
  public var offset: Int64 = 0
  /// True if the rules are asked although Firestore will refuse the query: listeners to a filtered group
  /// below a document, to two array-contains or to negative numbers are told so only once they may read.
  public var isRefusedLater = false

  /// Makes a query of all documents of a collection.
  public init(parent: DocumentPath, collection: Text) {
    self.parent = parent
    self.collection = collection
  }
}

extension Query {
  /// The alternatives of a filter on one field, each a list of comparisons.
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

  /// What stands for a filter that no document meets.
  private static let nothing = [
    Constraint.Entry(.equal, value: .bool(true)), Constraint.Entry(.equal, value: .bool(false)),
  ]

  private static func range(
    _ comparator: Constraint.Comparator, than value: Value
  ) -> [Constraint.Entry] {
    value.isNullOrNaN ? nothing : [Constraint.Entry(comparator, value: value)]
  }

  /// No list contains null or NaN as filters see it; the engine then says that the list contains an
  /// empty one.
  private static func containing(_ value: Value) -> [Constraint.Entry] {
    [Constraint.Entry(.listContains, value: value.isNullOrNaN ? .list([]) : value)]
  }

  private static func excluding(_ value: Value) -> [Constraint.Entry] {
    if case .null = value { return nothing }
    return [Constraint.Entry(.notEqual, value: value.isNullOrNaN ? .null : value)]
  }

  /// The elements of a list; of another value, itself.
  static func elements(_ value: Value) -> [Value] {
    if case .list(let elements) = value { return elements }
    return [value]
  }
}

extension Constraint.Entry {
  /// Whether both are the same comparison with the same value.
  func isSame(as other: Constraint.Entry) -> Bool {
    comparator == other.comparator && Value.areIdentical(value, other.value)
  }
}

extension Value {
  /// Whether only filters made for it find the value.
  var isNullOrNaN: Bool {
    switch self {
    case .null: true
    case .float(let number): number.isNaN
    default: false
    }
  }
}
