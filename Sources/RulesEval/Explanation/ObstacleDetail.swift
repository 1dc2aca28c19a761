import RulesLang

/// Describes, in a few words, the values that decided the outcome of a sub-expression.
struct ObstacleDetail {
  let rules: Checked
  /// True if the access is a query, whose filters are all that is known of `resource`.
  let isQuery: Bool
  /// Returns the outcome of an expression, without its parentheses.
  let outcome: (TraceIndex.Place) -> Outcome?

  /// Returns the words for a place with an outcome; empty if there is nothing to add.
  func text(for place: TraceIndex.Place, with outcome: Outcome) -> String {
    switch outcome {
    case .error(let error): return text(of: error, in: place)
    case .value(.bool(let flag)): return text(place, isTrue: flag)
    case .value(let value): return "it is \(ValueText.short(value)), not a bool"
    }
  }

  /// Returns the document whose absence decided the outcome of a place; nil if there is none.
  func missing(at place: TraceIndex.Place, with outcome: Outcome) -> Text? {
    switch outcome {
    case .error(let error): return error.reason.missingDocument
    case .value(.bool(false)):
      guard case .call(_, let arguments) = rules.ruleset[place.expression].kind,
        rules.binding(place.expression) == .builtin(.exists),
        let argument = arguments.first, case .path(let path) = value(of: argument, in: place),
        let full = try? path.flattened()
      else { return nil }
      return DocumentPath(full: full, in: rules.database)?.text
    case .value: return nil
    }
  }

  private func value(of id: ExprID, in place: TraceIndex.Place) -> Value? {
    let operand = TraceIndex.Place(expression: id, activation: place.activation)
    guard case .value(let value) = outcome(operand) else { return nil }
    return value
  }

  private func source(_ id: ExprID) -> String {
    SourceSnippet.text(rules.ruleset[id].range, in: rules.ruleset.source)
  }

  // MARK: Errors

  private func text(of error: EvaluationError, in place: TraceIndex.Place) -> String {
    switch error.reason {
    case .unknown: return "the filters of the query do not say"
    case .nullValue:
      guard let base = base(of: error.expression) else { break }
      return "`\(source(base))` is null"
    case .undefinedProperty(let key):
      guard let base = base(of: error.expression) else { break }
      if isQuery, isStored(base) { return "the query has no filter on \"\(String(key))\"" }
      return "`\(source(base))` has no \"\(String(key))\""
    case .serviceCall(let function, _, because: _):
      return "\(function)() fails: " + (error.reason.words ?? "")
    default: break
    }
    return error.reason.words ?? ""
  }

  /// True if an expression reads from the variable `resource`.
  private func isStored(_ id: ExprID) -> Bool {
    var next: ExprID? = id
    while let current = next.map({ rules.ruleset.unparenthesized($0) }) {
      if rules.binding(current) == .resource { return true }
      next = base(of: current)
    }
    return false
  }

  /// Returns the receiver of a member, index, slice or method; nil for other expressions.
  private func base(of id: ExprID) -> ExprID? {
    switch rules.ruleset[id].kind {
    case .member(let base, _), .index(let base, _), .slice(let base, _, _),
      .method(let base, _, _):
      base
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .call, .invalid:
      nil
    }
  }

  // MARK: Bools

  private func text(_ place: TraceIndex.Place, isTrue: Bool) -> String {
    switch rules.ruleset[place.expression].kind {
    case .binary(.in, let left, let right):
      guard let element = value(of: left, in: place), let container = value(of: right, in: place)
      else { return "" }
      let word = isTrue ? "is in" : "is not in"
      return "\(ValueText.short(element)) \(word) \(ValueText.short(container))"
    case .binary(_, let left, let right): return comparison(of: left, with: right, in: place)
    case .isType(let operand, _):
      guard let value = value(of: operand, in: place) else { return "" }
      return "it is \(ValueText.short(value)), of type \(value.type.word)"
    case .method(let receiver, let name, let arguments):
      return method(of: receiver, named: String(name.text), with: arguments, in: place)
    case .call(_, let arguments):
      guard
        rules.binding(place.expression) == .builtin(.exists)
          || rules.binding(place.expression) == .builtin(.existsAfter),
        let argument = arguments.first, case .path(let path) = value(of: argument, in: place)
      else { return "" }
      let name = Text.joined(path.segments.dropFirst(DatabaseName.rootCount))
      return "\(name) is \(isTrue ? "" : "not ")stored"
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .conditional,
      .member, .index, .slice, .invalid:
      return ""
    }
  }

  /// Describes both sides of a comparison; for a comparison with `null` only the other side.
  private func comparison(of left: ExprID, with right: ExprID, in place: TraceIndex.Place) -> String
  {
    guard let one = value(of: left, in: place), let other = value(of: right, in: place) else {
      return ""
    }
    let named: (ExprID, Value)? =
      if case .null = other, rules.ruleset.isConstant(right) {
        (left, one)
      } else if case .null = one, rules.ruleset.isConstant(left) {
        (right, other)
      } else {
        nil
      }
    if let named {
      return "`\(source(rules.ruleset.unparenthesized(named.0)))` is \(ValueText.short(named.1))"
    }
    return "\(ValueText.short(one)) vs \(ValueText.short(other))"
  }

  private func method(
    of receiver: ExprID, named name: String, with arguments: [ExprID], in place: TraceIndex.Place
  ) -> String {
    guard let own = value(of: receiver, in: place) else { return "" }
    var parts: [String] = []
    if let diff = diff(below: receiver, place) { parts.append(ValueText.short(.mapDiff(diff))) }
    let argument = arguments.first.flatMap { value(of: $0, in: place) }
    if let others = argument.flatMap({ $0.elements }), let elements = own.elements {
      parts += membership(name, of: elements, in: others)
    } else {
      parts.append("it is called on \(ValueText.short(own))")
    }
    return parts.joined(separator: "; ")
  }

  /// The elements that keep `hasOnly`, `hasAll` or `hasAny` from being true.
  private func membership(_ name: String, of own: [Value], in others: [Value]) -> [String] {
    func list(_ values: [Value]) -> String {
      values.map { ValueText.short($0) }.joined(separator: ", ")
    }
    switch name {
    case "hasOnly":
      let extra = own.filter { !others.containsMember($0) }
      if !extra.isEmpty { return ["\(list(extra)) is not in the list"] }
      let lacking = others.filter { !own.containsMember($0) }
      return lacking.isEmpty ? [] : ["\(list(lacking)) is missing"]
    case "hasAll":
      let lacking = others.filter { !own.containsMember($0) }
      return lacking.isEmpty ? [] : ["\(list(lacking)) is missing"]
    case "hasAny":
      let common = own.filter { others.containsMember($0) }
      if !common.isEmpty { return ["\(list(common)) is there"] }
      return ["\(ValueText.short(.list(own))) has none of \(ValueText.short(.list(others)))"]
    default: return []
    }
  }

  /// Returns the comparison of two maps from which a chain of calls starts, as in `a.diff(b).affectedKeys()`:
  /// it is reported instead of the set of keys.
  private func diff(below receiver: ExprID, _ place: TraceIndex.Place) -> MapDiff? {
    var id: ExprID? = receiver
    while let current = id.map({ rules.ruleset.unparenthesized($0) }) {
      if case .mapDiff(let diff) = value(of: current, in: place) { return diff }
      id = rules.ruleset[current].receiver
    }
    return nil
  }
}

extension Value {
  /// The elements of a list or a set.
  fileprivate var elements: [Value]? {
    switch self {
    case .list(let elements): elements
    case .set(let set): set.elements
    case .null, .bool, .int, .float, .string, .bytes, .map, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      nil
    }
  }
}

extension [Value] {
  fileprivate func containsMember(_ value: Value) -> Bool {
    contains { Value.areMembers($0, value) }
  }
}

extension Text {
  /// The plain segments of a path with their slashes.
  fileprivate static func joined(_ segments: ArraySlice<PathValue.Segment>) -> String {
    segments.reduce("") { text, segment in
      switch segment {
      case .plain(let name), .capture(_, .some(let name)): text + "/" + String(name)
      case .glob(_, .some(let run)): text + run.reduce("") { $0 + "/" + String($1) }
      case .capture(_, .none), .glob(_, .none): text + "/?"
      }
    }
  }
}
