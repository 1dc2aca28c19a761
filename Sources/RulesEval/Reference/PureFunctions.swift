public import RulesLang

/// Operators and built-ins on known operands, for static analysis. Results are exactly the evaluator's.
public enum PureFunctions {
  /// Calls a built-in other than a lookup. Fails like the call.
  public static func call(
    _ builtin: Builtin, on receiver: Value?, with arguments: [Value]
  ) throws(EvaluationError.Reason) -> Value {
    try Functions.checkArguments(of: builtin, on: receiver, with: arguments)
    return try Functions.call(builtin, on: receiver ?? .null, with: arguments)
  }

  /// Applies an operator other than `&&`, `||` and `in`. Fails like the operation.
  public static func apply(
    _ op: BinaryOperator, to left: Value, and right: Value
  ) throws(EvaluationError.Reason) -> Value {
    try Operations.apply(op, to: left, and: right)
  }

  /// `value in collection`. Fails like the operation.
  public static func collection(
    _ collection: Value, contains value: Value
  ) throws(EvaluationError.Reason) -> Bool {
    if let reason = Operations.unsearchable(collection) { throw reason }
    return try Operations.collection(collection, contains: value)
  }

  /// `-value`. Fails like the operation.
  public static func negate(_ value: Value) throws(EvaluationError.Reason) -> Value {
    try Operations.negate(value)
  }

  /// `!value`. Fails like the operation.
  public static func not(_ value: Value) throws(EvaluationError.Reason) -> Value {
    guard case .bool(let flag) = value else {
      throw .unsupported(received: "!\(value.type.word)", expected: "!bool")
    }
    return .bool(!flag)
  }

  /// `value.name`. Fails like the expression.
  public static func member(
    of value: Value, named name: Text
  ) throws(EvaluationError.Reason) -> Value {
    try Operations.member(of: value, named: name)
  }

  /// `value[key]`. Fails like the expression.
  public static func index(_ value: Value, by key: Value) throws(EvaluationError.Reason) -> Value {
    if let reason = Operations.unindexable(value) { throw reason }
    return try Operations.index(value, by: key)
  }

  /// `value[from:to]`; a bound that is left out is null. Fails like the expression.
  public static func slice(
    _ value: Value, from: Value, to: Value
  ) throws(EvaluationError.Reason) -> Value {
    if let reason = Operations.unsliceable(value) { throw reason }
    return try Operations.slice(value, from: from, to: to)
  }

  /// Returns the text of a value as a path segment. Fails like `string(value)`.
  public static func segment(_ value: Value) throws(EvaluationError.Reason) -> Text {
    try Functions.string(value)
  }
}
