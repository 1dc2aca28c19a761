import RulesEval
import RulesLang
import RulesSolver

/// The evaluator's results of operators on known values.
enum Facts {
  /// Returns the truth of a predicate; nil if it does not depend on the values alone.
  static func truth(of op: Operator, _ values: [Value]) -> Bool? {
    switch op {
    case .precedes: Value.order(of: values[0], and: values[1]) == .less
    case .odd: !Value.areEqual(values[0], values[0])
    case .close: areClose(values[0], values[1])
    case .nearly: areNearly(values[0], values[1])
    case .member:
      if case .list(let elements) = values[0] {
        elements.contains { Value.areMembers($0, values[1]) }
      } else {
        nil
      }
    case .definedBuiltin(.constraintHasAny), .definedBuiltin(.getAfter): nil
    case .definedBuiltin(let builtin): call(builtin, with: values).isDefined
    // A comparison with a constraint depends on a query's filters, which no evaluation sees.
    case .definedOperation(let op) where !op.isArithmetic: nil
    case .definedOperation(let op):
      isConstraint(values) ? nil : apply(op, to: values).isDefined
    case .has: has(values[0], key: values[1])
    case .onlyElements: areElements(of: values[0], among: values[1])
    case .exists, .unnamed, .unnamedKey, .unnamedFew, .partlyNamed: nil
    case .field, .element, .size, .document, .data, .plus, .path, .builtin, .operation, .negate,
      .witness, .foreign:
      nil
    }
  }

  private static func areElements(of list: Value, among allowed: Value) -> Bool? {
    guard case .list(let elements) = list, case .list(let allowed) = allowed else { return nil }
    return elements.allSatisfy { element in
      allowed.contains { Value.areMembers(element, $0) }
    }
  }

  private static func isConstraint(_ values: [Value]) -> Bool {
    values.contains { value in
      if case .constraint = value { return true }
      return false
    }
  }

  private static func areClose(_ one: Value, _ other: Value) -> Bool? {
    guard one.isNumber, other.isNumber else { return nil }
    return ConstantKey(of: one) != ConstantKey(of: other) && Value.areEqual(one, other)
  }

  private static func areNearly(_ one: Value, _ other: Value) -> Bool? {
    guard let same = try? Value.areSetEqual(one, other) else { return nil }
    return same && ConstantKey(of: one) != ConstantKey(of: other)
  }

  /// Returns the value of an application; nil if there is none, or it does not depend on the values
  /// alone.
  static func value(of op: Operator, _ values: [Value]) -> Value? {
    switch op {
    case .builtin(let builtin): call(builtin, with: values).value
    case .operation(let op): apply(op, to: values).value
    case .negate: try? PureFunctions.negate(values[0])
    case .size: size(values[0])
    case .element: element(of: values[0], at: values[1])
    case .field: field(of: values[0], at: values[1])
    default: nil
    }
  }

  private static func element(of list: Value, at place: Value) -> Value? {
    guard case .list(let elements) = list, case .int(let place) = place,
      elements.indices.contains(Int(clamping: place))
    else { return nil }
    return elements[Int(place)]
  }

  private static func field(of map: Value, at key: Value) -> Value? {
    guard case .map(let map) = map, case .string(let key) = key else { return nil }
    return map[key]
  }

  private static func has(_ map: Value, key: Value) -> Bool? {
    guard case .map(let map) = map, case .string(let key) = key else { return nil }
    return map.contains(key)
  }

  private static func size(_ value: Value) -> Value? {
    switch value {
    case .string(let text): .int(Int64(text.unitCount))
    case .list(let elements): .int(Int64(elements.count))
    case .bytes(let octets): .int(Int64(octets.count))
    default: nil
    }
  }

  /// The result of an operation.
  private enum Outcome {
    case known(Value)
    case error
    /// Not modelled by the evaluator.
    case open

    init(_ body: () throws(EvaluationError.Reason) -> Value) {
      do throws(EvaluationError.Reason) {
        self = .known(try body())
      } catch {
        self = error.isUnsupported ? .open : .error
      }
    }

    var value: Value? {
      if case .known(let value) = self { return value }
      return nil
    }

    /// True for a value, false for an error; nil if not modelled.
    var isDefined: Bool? {
      switch self {
      case .known: true
      case .error: false
      case .open: nil
      }
    }
  }

  private static func call(_ builtin: Builtin, with values: [Value]) -> Outcome {
    let hasReceiver = Builtins.entry(builtin).receiver != nil
    return Outcome { () throws(EvaluationError.Reason) in
      try PureFunctions.call(
        builtin, on: hasReceiver ? values.first : nil,
        with: hasReceiver ? Array(values.dropFirst()) : values)
    }
  }

  private static func apply(_ op: BinaryOperator, to values: [Value]) -> Outcome {
    Outcome { () throws(EvaluationError.Reason) in
      try PureFunctions.apply(op, to: values[0], and: values[1])
    }
  }
}

extension BinaryOperator {
  fileprivate var isArithmetic: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder: true
    case .or, .and, .in, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual: false
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float: true
    default: false
    }
  }
}
