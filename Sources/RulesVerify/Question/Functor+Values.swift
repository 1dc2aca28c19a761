package import RulesEval
import RulesLang

extension Functor {
  /// Returns the evaluator's result of applying this functor to values; nil if there is no result,
  /// it is not a constant, or it depends on more than the values.
  package func value(of arguments: [Value]) -> Value? {
    guard arguments.allSatisfy({ $0.isPlain }), let value = computed(arguments), value.isPlain
    else { return nil }
    return value
  }

  private func computed(_ arguments: [Value]) -> Value? {
    switch self {
    case .list: return Value.areTooHeavy(arguments) ? nil : .list(arguments)
    case .record(let names):
      if Value.areTooHeavy(arguments) || names.count != arguments.count { return nil }
      return .map(MapValue(Array(zip(names, arguments))))
    case .path:
      let texts = arguments.compactMap { value -> Text? in
        if case .string(let text) = value { return text }
        return nil
      }
      return texts.count == arguments.count ? .path(PathValue(plain: texts)) : nil
    case .value(let act):
      if case .value(let value) = act.outcome(of: arguments) { return value }
      return nil
    case .defined(let act):
      if case .compose = act { return nil }
      if case .builtin(let builtin) = act, builtin.isLookup { return nil }
      switch act.outcome(of: arguments) {
      case .value: return .bool(true)
      case .error: return .bool(false)
      case .unmodelled: return nil
      }
    case .plus, .document, .data, .exists, .unnamed, .unnamedKey: return nil
    case .field, .element, .size, .has, .member, .odd, .close, .alike, .precedes, .only:
      return arguments.count == 1
        ? computed(arguments[0])
        : arguments.count == 2 ? computed(arguments[0], and: arguments[1]) : nil
    }
  }

  private func computed(_ value: Value) -> Value? {
    switch (self, value) {
    case (.size, .string(let text)): .int(Int64(text.unitCount))
    case (.size, .list(let elements)): .int(Int64(elements.count))
    case (.size, .bytes(let octets)): .int(Int64(octets.count))
    case (.size, .set(let set)): .int(Int64(set.count))
    case (.odd, _): .bool(!Value.areEqual(value, value))
    default: nil
    }
  }

  private func computed(_ one: Value, and other: Value) -> Value? {
    let isSame = Identity(of: one) == Identity(of: other)
    switch (self, one, other) {
    case (.field, .map(let map), .string(let key)): return map[key]
    case (.has, .map(let map), .string(let key)): return .bool(map.contains(key))
    case (.element, .list(let elements), .int(let place)):
      return elements.indices.contains(Int(clamping: place)) ? elements[Int(place)] : nil
    case (.member, .list(let elements), _):
      return .bool(elements.contains { Value.areMembers(other, $0) })
    case (.member, .set(let set), _): return (try? set.contains(other)).map { .bool($0) }
    case (.only, .list(let elements), .list(let allowed)):
      return .bool(
        elements.allSatisfy { element in allowed.contains { Value.areMembers(element, $0) } })
    case (.close, _, _): return .bool(!isSame && Value.areEqual(one, other))
    case (.alike, _, _):
      return (try? Value.areSetEqual(one, other)).map { .bool(!isSame && $0) }
    case (.precedes, _, _): return .bool(Value.order(of: one, and: other) == .less)
    default: return nil
    }
  }
}

extension Functor {
  /// True if the evaluator does not model this application.
  func isUnmodelled(on arguments: [Value]) -> Bool {
    switch self {
    case .value(let act), .defined(let act):
      if case .unmodelled = act.outcome(of: arguments) { return true }
      return false
    case .list, .record: return Value.areTooHeavy(arguments)
    default: return false
    }
  }
}

extension Act {
  /// The evaluator's result on constants.
  enum Outcome {
    case value(Value)
    case error
    /// Not modelled: the evaluator decides no request that evaluates this.
    case unmodelled
  }

  /// Returns the evaluator's result on these values. Operations that depend on the request are
  /// errors.
  func outcome(of arguments: [Value]) -> Outcome {
    do throws(EvaluationError.Reason) {
      return try value(of: arguments).map { .value($0) } ?? .error
    } catch {
      return error.isUnsupported ? .unmodelled : .error
    }
  }

  private func value(of arguments: [Value]) throws(EvaluationError.Reason) -> Value? {
    switch self {
    case .builtin(let builtin):
      if builtin.isLookup { return nil }
      let hasReceiver = Builtins.entry(builtin).receiver != nil
      if hasReceiver, arguments.first?.type != Builtins.entry(builtin).receiver { return nil }
      return try PureFunctions.call(
        builtin, on: hasReceiver ? arguments.first : nil,
        with: hasReceiver ? Array(arguments.dropFirst()) : arguments)
    case .binary(let op):
      return arguments.count == 2
        ? try PureFunctions.apply(op, to: arguments[0], and: arguments[1]) : nil
    case .negate: return arguments.count == 1 ? try PureFunctions.negate(arguments[0]) : nil
    case .index:
      return arguments.count == 2 ? try PureFunctions.index(arguments[0], by: arguments[1]) : nil
    case .slice:
      return arguments.count == 3
        ? try PureFunctions.slice(arguments[0], from: arguments[1], to: arguments[2]) : nil
    case .compose: return nil
    }
  }
}

extension Question {
  /// The types of stored values.
  static let storable: TypeSet = [
    .null, .bool, .int, .float, .string, .bytes, .timestamp, .list, .map, .latlng, .path, .vector,
  ]
  /// The types of values in an ID token.
  static let claims: TypeSet = [.null, .bool, .int, .float, .string, .list, .map]
  /// The numeric types.
  static let numbers: TypeSet = [.int, .float]

  /// Returns the possible types of an application.
  func types(of functor: Functor, _ arguments: [Term]) -> TypeSet {
    if functor.isPredicate { return .bool }
    switch functor {
    case .field, .element: return arguments.first.map { partTypes(of: $0) } ?? .any
    case .size: return .int
    case .plus(let scale, _): return TypeSet(scale.type)
    case .list: return .list
    case .record, .document, .data: return .map
    case .path: return .path
    case .value(.compose(let shape)):
      return shape.bytes.starts(with: Self.call) ? .any : [.path, .map]
    case .value(.builtin(let builtin)): return Builtins.entry(builtin).result
    case .value(.binary(let op)):
      switch op {
      case .add, .subtract: return [.int, .float, .string, .duration, .timestamp]
      case .multiply, .divide, .remainder: return Self.numbers
      default: return .bool
      }
    case .value(.negate): return [.int, .float, .duration]
    case .value(.slice): return [.string, .list, .path]
    default: return .any
    }
  }

  /// Prefix of a functor's name that marks a call of an unknown function.
  private static let call = Array("call ".utf8)

  /// Returns the definition of the outermost term that contains `term` by field and element access.
  func root(of term: Term) -> TermForm {
    var root = term
    while case .apply(let functor, let arguments) = self[root], let first = arguments.first,
      functor == .field || functor == .element
    {
      root = first
    }
    return self[root]
  }

  /// Returns the possible types of the parts of a term: storable types in documents, JSON types in
  /// tokens.
  private func partTypes(of term: Term) -> TypeSet {
    switch root(of: term) {
    case .unknown(.token): Self.claims
    case .unknown(.promise): Self.storable.union(.constraint)
    case .unknown(.before), .unknown(.after), .apply(.data, _): Self.storable
    case .unknown, .constant, .apply: .any
    }
  }

  /// True for (parts of) constants, stored data, tokens and path segments. These contain no paths with
  /// captures and no promises, and no sets unless they are constants.
  func isData(_ term: Term) -> Bool {
    switch root(of: term) {
    case .constant, .unknown(.token), .unknown(.before), .unknown(.after), .apply(.data, _),
      .unknown(.uid), .unknown(.segment), .unknown(.part), .unknown(.time), .unknown(.limit),
      .unknown(.offset),
      .apply(.path, _), .apply(.size, _), .apply(.plus, _):
      true
    case .unknown, .apply: false
    }
  }
}
