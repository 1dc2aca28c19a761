import RulesLang

/// Evaluates the operators and postfix forms on values (Docs/Language.md §7).
enum Operations {
  /// Applies an operator other than `&&`, `||` and `in`.
  static func apply(
    _ op: BinaryOperator, to left: Value, and right: Value
  ) throws(EvaluationError.Reason) -> Value {
    switch op {
    case .equal, .notEqual:
      if isConstrained(left, or: right) { return try constrained(op, left: left, right: right) }
      if hasUnknown(left, comparedWith: right) { throw .unknown }
      return .bool(Value.areEqual(left, right) == (op == .equal))
    case .less, .lessEqual, .greater, .greaterEqual:
      if isConstrained(left, or: right) { return try constrained(op, left: left, right: right) }
      return .bool(try compare(op, left: left, right: right))
    case .add, .subtract, .multiply, .divide, .remainder:
      return try arithmetic(op, left: left, right: right)
    case .and, .or, .in:
      throw .functionNotFound(op.symbol)  // `Reference` never asks for these.
    }
  }

  // MARK: Comparison

  private static func compare(
    _ op: BinaryOperator, left: Value, right: Value
  ) throws(EvaluationError.Reason) -> Bool {
    guard areOrdered(left.type, right.type) else {
      throw unsupported(
        op, left: left, right: right,
        forms: ["string", "bytes", "int", "float", "duration", "timestamp"].map { ($0, $0) }
          + [("constraint", "any"), ("any", "constraint")])
    }
    guard let order = Value.order(of: left, and: right) else { return false }  // NaN
    return switch op {
    case .less: order == .less
    case .lessEqual: order != .greater
    case .greater: order == .greater
    default: order != .less
    }
  }

  /// True if `<` can compare values of these types.
  static func areOrdered(_ left: ValueType, _ right: ValueType) -> Bool {
    let numbers: TypeSet = [.int, .float]
    if numbers.contains(left), numbers.contains(right) { return true }
    let ordered: TypeSet = [.string, .bytes, .timestamp, .duration]
    return left == right && ordered.contains(left)
  }

  /// True if two maps are compared of which one has a key that cannot be known.
  private static func hasUnknown(_ left: Value, comparedWith right: Value) -> Bool {
    guard case .map(let one) = left, case .map(let two) = right else { return false }
    return one.unknownKey != nil || two.unknownKey != nil
  }

  private static func isConstrained(_ left: Value, or right: Value) -> Bool {
    left.type == .constraint || right.type == .constraint
  }

  private static let equatable: [ValueType] = [
    .bool, .duration, .float, .int, .latlng, .map, .null, .string, .bytes, .timestamp, .path,
    .list, .vector, .set,
  ]
  private static let orderable: [ValueType] = [
    .timestamp, .duration, .float, .int, .string, .bytes,
  ]

  /// Compares with a constraint of a query: the result is true or unknown, never false (Docs/Language.md §9).
  private static func constrained(
    _ op: BinaryOperator, left: Value, right: Value
  ) throws(EvaluationError.Reason) -> Value {
    var (constraint, other, op) = (left, right, op)
    if case .constraint = right {
      if case .constraint = left {
      } else {
        (constraint, other, op) = (right, left, Constraint.mirrored(op))
      }
    }
    guard case .constraint(let promise) = constraint else { throw .unknown }
    let suitable = op == .equal || op == .notEqual ? equatable : orderable
    guard suitable.contains(other.type) else { throw .wrongType(other.type, expected: suitable) }
    guard promise.implies(op, value: other) else { throw .unknown }
    return .bool(true)
  }

  // MARK: Arithmetic

  private static func arithmetic(
    _ op: BinaryOperator, left: Value, right: Value
  ) throws(EvaluationError.Reason) -> Value {
    if case .int(let one) = left, case .int(let two) = right {
      return .int(try arithmetic(op, left: one, right: two))
    }
    if let one = left.asDouble, let two = right.asDouble {
      return .float(arithmetic(op, left: one, right: two))
    }
    switch (op, left, right) {
    case (.add, .string(let one), .string(let two)):
      if one.bytes.count + two.bytes.count > Text.maximumSize { throw .valueTooLarge }
      return .string(one + two)
    case (.add, .duration(let one), .duration(let two)):
      return .duration(try some(one.adding(two), else: .durationRange))
    case (.add, .timestamp(let time), .duration(let length)),
      (.add, .duration(let length), .timestamp(let time)):
      return .timestamp(try some(time.adding(length), else: .timestampRange))
    case (.subtract, .duration(let one), .duration(let two)):
      return .duration(try some(one.subtracting(two), else: .durationRange))
    case (.subtract, .timestamp(let time), .duration(let length)):
      return .timestamp(try some(time.subtracting(length), else: .timestampRange))
    case (.subtract, .timestamp(let one), .timestamp(let two)):
      return .duration(one.since(two))
    default: throw unsupported(op, left: left, right: right, forms: forms(of: op))
    }
  }

  private static func arithmetic(
    _ op: BinaryOperator, left: Int64, right: Int64
  ) throws(EvaluationError.Reason) -> Int64 {
    switch op {
    case .add: try some(Arithmetic.sum(of: left, and: right), else: .integerRange)
    case .subtract: try some(Arithmetic.difference(of: left, and: right), else: .integerRange)
    case .multiply: try some(Arithmetic.product(of: left, and: right), else: .integerRange)
    case .divide: try some(Arithmetic.quotient(of: left, by: right), else: .divideByZero)
    default: try some(Arithmetic.remainder(of: left, by: right), else: .divideByZero)
    }
  }

  private static func arithmetic(_ op: BinaryOperator, left: Double, right: Double) -> Double {
    switch op {
    case .add: Arithmetic.sum(of: left, and: right)
    case .subtract: Arithmetic.difference(of: left, and: right)
    case .multiply: Arithmetic.product(of: left, and: right)
    case .divide: Arithmetic.quotient(of: left, by: right)
    default: Arithmetic.remainder(of: left, by: right)
    }
  }

  private static func some<T>(
    _ value: T?, else reason: EvaluationError.Reason
  ) throws(EvaluationError.Reason) -> T {
    guard let value else { throw reason }
    return value
  }

  private static func forms(of op: BinaryOperator) -> [(String, String)] {
    let numbers = [("int", "int"), ("float", "float")]
    switch op {
    case .add:
      return numbers + [
        ("string", "string"), ("duration", "duration"), ("duration", "timestamp"),
        ("timestamp", "duration"),
      ]
    case .subtract:
      return numbers + [
        ("duration", "duration"), ("timestamp", "duration"), ("timestamp", "timestamp"),
      ]
    default: return numbers
    }
  }

  private static func unsupported(
    _ op: BinaryOperator, left: Value, right: Value, forms: [(String, String)]
  ) -> EvaluationError.Reason {
    let symbol = op.symbol
    return .unsupported(
      received: "\(left.type.word) \(symbol) \(right.type.word)",
      expected: (forms.map { "\($0.0) \(symbol) \($0.1)" }).joined(separator: ", "))
  }

  /// Evaluates unary minus.
  static func negate(_ value: Value) throws(EvaluationError.Reason) -> Value {
    switch value {
    case .int(let number): return .int(try some(Arithmetic.negated(number), else: .integerRange))
    case .float(let number): return .float(Arithmetic.negated(number))
    case .duration(let length): return .duration(-length)
    default:
      throw .unsupported(received: "-\(value.type.word)", expected: "-int, -float, -duration")
    }
  }

  // MARK: in

  /// Returns the reason why `in` cannot search a value; nil if it can.
  static func unsearchable(_ collection: Value) -> EvaluationError.Reason? {
    switch collection {
    case .list, .set, .map, .constraint: nil
    case .null: .nullValue
    case .bool, .int, .float, .string, .bytes, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector:
      .functionNotFound("in")
    }
  }

  /// Evaluates `value in collection`, for a collection that can be searched.
  static func collection(
    _ collection: Value, contains value: Value
  ) throws(EvaluationError.Reason) -> Bool {
    switch collection {
    case .list(let elements): return try list(elements, contains: value)
    case .set(let set): return try set.contains(value)
    case .map(let map):
      guard case .string(let key) = value else {
        throw .unsupported(
          received: "map.in(\(value.type.word))", expected: "map.in(string)")
      }
      return map.contains(key)
    case .constraint(let promise):
      switch value {
      case .constraint: throw .wrongType(.constraint, expected: orderable)
      case .mapDiff: throw .wrongType(.mapDiff, expected: equatable)
      default: break
      }
      guard promise.containsElement(value) else { throw .unknown }
      return true
    default: throw .functionNotFound("in")
    }
  }

  private static func list(
    _ elements: [Value], contains value: Value
  ) throws(EvaluationError.Reason) -> Bool {
    for element in elements {
      if hasUnknown(value, comparedWith: element) { throw .unknown }
      if Value.areMembers(value, element) { return true }
    }
    return false
  }

  // MARK: Members, indices, slices

  /// Evaluates `value.name`.
  static func member(of value: Value, named name: Text) throws(EvaluationError.Reason) -> Value {
    switch value {
    case .map(let map):
      if let found = map[name] { return found }
      if map.unknownKey == name { throw .unknown }
      throw .undefinedProperty(name)
    case .path(let path): return try path.binding(name)
    case .null: throw .nullValue
    default: throw .wrongType(value.type, expected: [.map, .path])
    }
  }

  /// Returns the reason why a value cannot be indexed; nil if it can.
  static func unindexable(_ value: Value) -> EvaluationError.Reason? {
    switch value {
    case .list, .string, .map, .path: nil
    case .null: .nullValue
    default: .functionNotFound("[]")
    }
  }

  /// Evaluates `value[key]`, for a value that can be indexed.
  static func index(_ value: Value, by key: Value) throws(EvaluationError.Reason) -> Value {
    switch (value, key) {
    case (.list(let elements), .int(let place)):
      try check(place, below: elements.count)
      return elements[Int(place)]
    case (.string(let text), .int(let place)):
      try check(place, below: text.unitCount)
      return .string(text.slice(from: Int(place), upTo: Int(place) + 1))
    case (.path(let path), .int(let place)):
      let segments = try path.flattened()
      try check(place, below: segments.count)
      return .string(segments[Int(place)])
    case (.map, .string(let name)), (.path, .string(let name)):
      return try member(of: value, named: name)
    default:
      let word = value.type.word
      let expected: String
      switch value {
      case .map: expected = "map[string]"
      case .path: expected = "path[string], path[int]"
      default: expected = "\(word)[int]"
      }
      throw .unsupported(received: "\(word)[\(key.type.word)]", expected: expected)
    }
  }

  private static func check(_ place: Int64, below size: Int) throws(EvaluationError.Reason) {
    guard place >= 0, place < size else { throw .indexOutOfBounds(place, size: size) }
  }

  /// Returns the reason why a value cannot be sliced; nil if it can.
  static func unsliceable(_ value: Value) -> EvaluationError.Reason? {
    switch value {
    case .list, .string, .path: nil
    case .null: .nullValue
    default: .functionNotFound("@range")
    }
  }

  /// Evaluates `value[from:to]`, for a value that can be sliced; an omitted bound is null.
  static func slice(
    _ value: Value, from: Value, to: Value
  ) throws(EvaluationError.Reason) -> Value {
    let word = value.type.word
    guard let lower = try bound(from: from, to: to, value: from, word: word),
      let upper = try bound(from: from, to: to, value: to, word: word)
    else { return value }
    // All of a path is the path, even where a capture in it is not bound.
    if case .omitted = lower, case .omitted = upper { return value }
    switch value {
    case .list(let elements):
      return .list(Array(elements[try range(from: lower, to: upper, of: elements.count)]))
    case .string(let text):
      let range = try range(from: lower, to: upper, of: text.unitCount)
      return .string(text.slice(from: range.lowerBound, upTo: range.upperBound))
    case .path(let path):
      let segments = try path.unrolled()
      return .path(
        PathValue(Array(segments[try range(from: lower, to: upper, of: segments.count)])))
    default: throw .functionNotFound("@range")
    }
  }

  private enum Bound { case omitted, at(Int64) }

  private static func bound(
    from: Value, to: Value, value: Value, word: String
  ) throws(EvaluationError.Reason) -> Bound? {
    switch value {
    case .null: return .omitted
    case .int(let place): return .at(place)
    default:
      // The engine lists the forms for paths in an order of their own.
      let forms =
        word == ValueType.path.word
        ? ["null:null", "int:int", "int:null", "null:int"]
        : ["null:null", "null:int", "int:null", "int:int"]
      throw .unsupported(
        received: "\(word)[\(from.type.word):\(to.type.word)]",
        expected: forms.map { "\(word)[\($0)]" }.joined(separator: ", "))
    }
  }

  /// Returns the range of a slice. Bounds are not clamped: both must be inside, so an empty value has no
  /// slice but `[:]`.
  private static func range(
    from: Bound, to: Bound, of size: Int
  ) throws(EvaluationError.Reason) -> Range<Int> {
    let lower = try checked(from, default: 0, size: size)
    let upper = try checked(to, default: Int32(clamping: size), size: size)
    try check(Int64(lower), below: size)
    // The engine counts in 32 bits.
    try check(Int64(upper &- 1), below: size)
    guard lower <= upper else { throw .illegalRange(from: Int64(lower), to: Int64(upper)) }
    return Int(lower)..<Int(upper)
  }

  /// Returns a bound as an int of 32 bits; the engine reports larger ones before it checks the range.
  private static func checked(
    _ bound: Bound, default fallback: Int32, size: Int
  ) throws(EvaluationError.Reason) -> Int32 {
    guard case .at(let place) = bound else { return fallback }
    guard let small = Int32(exactly: place) else { throw .indexOutOfBounds(place, size: size) }
    return small
  }
}
