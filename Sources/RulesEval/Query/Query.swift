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
  /// The ID of the collection.
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

  /// Makes a query of all documents of a collection.
  public init(parent: DocumentPath, collection: Text) {
    self.parent = parent
    self.collection = collection
  }
}

extension Query {
  /// A filter on one field, in a disjunct.
  struct Condition: Sendable {
    var field: FieldPath
    var entries: [Constraint.Entry]
  }

  /// More disjuncts than this are refused, as Firestore refuses them.
  static let maximumDisjuncts = 30

  /// Why Firestore refuses the query before the rules are asked; nil if it does not.
  var refusal: String? {
    if let filter, let refusal = Self.refusal(filter) {
      return "Firestore refuses the query: " + refusal
    }
    if disjuncts() == nil {
      return "Firestore refuses the query: more than \(Self.maximumDisjuncts) disjunctions"
    }
    return nil
  }

  private static func refusal(_ filter: Filter) -> String? {
    switch filter {
    case .and(let parts), .or(let parts):
      if parts.isEmpty { return "a composite filter without parts" }
      for part in parts {
        if let refusal = refusal(part) { return refusal }
      }
      return nil
    case .field(_, let comparison, let value):
      switch comparison {
      case .in, .arrayContainsAny: return refusal(value, "in and array-contains-any", limit: 30)
      case .notIn: return refusal(value, "not-in", limit: 10)
      case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains:
        return nil
      }
    }
  }

  private static func refusal(_ value: Value, _ what: String, limit: Int) -> String? {
    let count = elements(value).count
    if count == 0 { return "\(what) without values" }
    return count > limit ? "\(what) with more than \(limit) values" : nil
  }

  /// The filter as alternatives of conditions (Docs/Language.md §9); nil if there are too many.
  func disjuncts() -> [[Condition]]? {
    guard let filter else { return [[]] }
    return Self.disjuncts(filter)
  }

  private static func disjuncts(_ filter: Filter) -> [[Condition]]? {
    switch filter {
    case .field(let field, let comparison, let value):
      return alternatives(comparison, value).map { [Condition(field: field, entries: $0)] }
    case .or(let parts):
      var result: [[Condition]] = []
      for part in parts {
        guard let more = disjuncts(part) else { return nil }
        result += more
        if result.count > maximumDisjuncts { return nil }
      }
      return result
    case .and(let parts):
      var result: [[Condition]] = [[]]
      for part in parts {
        guard let more = disjuncts(part), result.count * more.count <= maximumDisjuncts else {
          return nil
        }
        result = result.flatMap { left in more.map { left + $0 } }
      }
      return result
    }
  }

  private static func alternatives(
    _ comparison: Comparison, _ value: Value
  ) -> [[Constraint.Entry]] {
    switch comparison {
    case .equal: [[Constraint.Entry(.equal, value)]]
    case .notEqual: [[Constraint.Entry(.notEqual, value)]]
    case .less: [[Constraint.Entry(.less, value)]]
    case .lessEqual: [[Constraint.Entry(.lessEqual, value)]]
    case .greater: [[Constraint.Entry(.greater, value)]]
    case .greaterEqual: [[Constraint.Entry(.greaterEqual, value)]]
    case .arrayContains: [[Constraint.Entry(.listContains, value)]]
    case .in: elements(value).map { [Constraint.Entry(.equal, $0)] }
    case .arrayContainsAny: elements(value).map { [Constraint.Entry(.listContains, $0)] }
    case .notIn: [elements(value).map { Constraint.Entry(.notEqual, $0) }]
    }
  }

  private static func elements(_ value: Value) -> [Value] {
    if case .list(let elements) = value { return elements }
    return [value]
  }
}
