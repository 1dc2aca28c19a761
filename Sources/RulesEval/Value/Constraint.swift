import RulesLang

/// The filters of a query on one field: the value of the field in a list request (Docs/Language.md §9).
public struct Constraint: Sendable {
  /// The comparison of a filter.
  public enum Comparator: UInt8, Sendable {
    case equal, notEqual, less, lessEqual, greater, greaterEqual, listContains
  }

  /// One filter.
  public struct Entry: Sendable {
    /// The comparison.
    public var comparator: Comparator
    /// The operand.
    public var value: Value

    /// Creates an entry.
    public init(_ comparator: Comparator, value: Value) {
      self.comparator = comparator
      self.value = value
    }
  }

  /// The filters, not merged.
  public var entries: [Entry]

  /// Creates a constraint of filters.
  public init(_ entries: [Entry]) { self.entries = entries }
}

extension Constraint {
  /// True if a single filter implies `field op value`; otherwise the result of the comparison is unknown, not
  /// false.
  func implies(_ op: BinaryOperator, value: Value) -> Bool {
    entries.contains { $0.implies(op, value: value) }
  }

  /// True if an `array-contains` filter has the value as its operand.
  func containsElement(_ value: Value) -> Bool {
    entries.contains { $0.comparator == .listContains && $0.value.matchesElement(value) }
  }

  /// Returns the comparison with its sides exchanged: `v < c` is `c > v`.
  static func mirrored(_ op: BinaryOperator) -> BinaryOperator {
    switch op {
    case .less: .greater
    case .lessEqual: .greaterEqual
    case .greater: .less
    case .greaterEqual: .lessEqual
    case .or, .and, .in, .equal, .notEqual, .add, .subtract, .multiply, .divide, .remainder: op
    }
  }
}

extension Constraint.Entry {
  func implies(_ op: BinaryOperator, value wanted: Value) -> Bool {
    // For the engine, equality with NaN is an empty range of numbers, for which every comparison is true.
    if isNaN, wanted.asDouble != nil { return true }
    switch op {
    case .equal: return comparator == .equal && value.isSameConstant(as: wanted)
    case .notEqual: return excludes(wanted)
    case .less, .lessEqual, .greater, .greaterEqual: return impliesOrder(op, value: wanted)
    case .or, .and, .in, .add, .subtract, .multiply, .divide, .remainder: return false
    }
  }

  /// True if an equality filter compares the field with NaN.
  var isNaN: Bool {
    guard comparator == .equal, case .float(let number) = value else { return false }
    return number.isNaN
  }

  private func impliesOrder(_ op: BinaryOperator, value wanted: Value) -> Bool {
    guard let order = value.constraintOrder(wanted) else { return false }
    switch (op, comparator) {
    case (.greater, .greater), (.greaterEqual, .greater), (.greaterEqual, .greaterEqual),
      (.greaterEqual, .equal):
      return order != .less
    case (.greater, .greaterEqual), (.greater, .equal): return order == .greater
    case (.less, .less), (.lessEqual, .less), (.lessEqual, .lessEqual), (.lessEqual, .equal):
      return order != .greater
    case (.less, .lessEqual), (.less, .equal): return order == .less
    default: return false
    }
  }

  private func excludes(_ wanted: Value) -> Bool {
    if case .null = wanted {
      if case .null = value { return comparator != .equal }
      return true
    }
    if case .float(let number) = wanted, number.isNaN {
      guard let own = value.asDouble else { return false }
      return !(comparator == .equal && own.isNaN)
    }
    switch comparator {
    case .notEqual: return value.isSameConstant(as: wanted)
    case .equal: return isDifferentConstant(wanted)
    case .greater, .greaterEqual, .less, .lessEqual:
      guard let order = value.constraintOrder(wanted) else { return false }
      switch comparator {
      case .greater: return order != .less
      case .greaterEqual: return order == .greater
      case .less: return order != .greater
      case .lessEqual: return order == .less
      case .equal, .notEqual, .listContains: return false
      }
    case .listContains: return false
    }
  }

  /// For an equality filter: true if the field cannot have this value, as far as the engine can tell.
  private func isDifferentConstant(_ wanted: Value) -> Bool {
    if value.asDouble != nil, wanted.asDouble != nil {
      return !value.isSameConstant(as: wanted)
    }
    return value.type == wanted.type && !value.isSameConstant(as: wanted)
  }
}

/// The order of two values.
public enum Ordering: Sendable { case less, equal, greater }

extension Value {
  /// Returns the order of a filter's operand and a rule's value; nil if the engine does not compare them. An
  /// int operand is compared with a float, a float operand not with an int.
  fileprivate func constraintOrder(_ other: Value) -> Ordering? {
    switch (self, other) {
    case (.float, .int): nil
    case (.int(let one), .int(let two)): one < two ? .less : one == two ? .equal : .greater
    case (.int, .float), (.float, .float): Value.order(of: self, and: other)
    default: type == other.type ? Value.order(of: self, and: other) : nil
    }
  }

  /// True if a filter's operand equals a rule's value, with the same rule for numbers.
  fileprivate func isSameConstant(as other: Value) -> Bool {
    switch (self, other) {
    case (.float, .int): false
    case (.float(let one), .float(let two)) where one.isNaN && two.isNaN: true
    default:
      asDouble != nil && other.asDouble != nil
        ? Value.areEqual(self, other) : type == other.type && Value.areEqual(self, other)
    }
  }

  /// True if the operand of an `array-contains` equals an element.
  fileprivate func matchesElement(_ other: Value) -> Bool {
    switch (self, other) {
    case (.float, .int): false
    case (.int, .float), (.float, .float), (.int, .int): asDouble == other.asDouble
    default: type == other.type && Value.areIdentical(self, other)
    }
  }
}

extension Constraint.Comparator {
  /// The comparison's name in the engine's reports.
  public var word: String {
    switch self {
    case .equal: "EQ"
    case .notEqual: "NEQ"
    case .less: "LT"
    case .lessEqual: "LTE"
    case .greater: "GT"
    case .greaterEqual: "GTE"
    case .listContains: "LIST_CONTAINS"
    }
  }
}
