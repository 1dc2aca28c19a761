import RulesEval
package import RulesLang
import RulesSolver

// Built-in functions and methods. `Builtins.table` lists the receivers and arguments that fit; the encodings
// here are for these.

extension Compiler {
  func builtinCall(
    _ builtin: Builtin, with arguments: [Cases], at id: ExprID, in frame: SymbolicFrame
  ) -> Cases {
    let rows = Builtins.entry(builtin).rows(count: arguments.count)
    switch builtin {
    case .get, .exists, .getAfter, .existsAfter, .value:
      return guarded(by: rows, operands: arguments, at: id) {
        lookup(builtin.meaning, of: $0[0], at: id, in: frame)
      }
    case .debug:
      // All arguments are evaluated; the result is the first one.
      guard let first = arguments.first, !rows.isEmpty, rules.profile.hasDebug else {
        return .error
      }
      return under(problem.graph.and(arguments.map { defined($0) }), value: first)
    default:
      return guarded(by: rows, operands: arguments, at: id) {
        apply(builtin, on: nil, with: $0, at: id)
      }
    }
  }

  /// Returns an unknown value for a call of an unknown function or method. The evaluator treats it as an
  /// error, like the emulator; the encoding leaves it open, so that no proof depends on that.
  func unknownCall(of name: String, with operands: [Cases], at id: ExprID) -> Cases {
    under(
      problem.graph.and(operands.map { defined($0) }),
      value: opaque(at: id, reason: "a call of `\(name)`, which rules-check does not know"))
  }

  /// Returns `receiver.name(arguments)`, by the overloads for the types of the receiver.
  package func method(of receiver: Cases, named name: Text, with arguments: [Cases], at id: ExprID)
    -> Cases
  {
    let entries = Builtins.methods(named: name)
    if entries.isEmpty {
      return unknownCall(of: String(name), with: [receiver] + arguments, at: id)
    }
    return each(of: receiver) { shape in
      var result: [Cases.Case] = []
      for entry in entries {
        guard let owner = entry.receiver else { continue }
        let rows = entry.rows(count: arguments.count)
        let isOf = rows.isEmpty ? Ref.no : isType(of: shape, in: TypeSet(owner))
        if isOf == .no { continue }
        result +=
          under(isOf, value: method(entry.builtin, on: shape, rows: rows, with: arguments, at: id))
          .cases
      }
      return Cases(cases: result)
    }
  }

  /// Returns the result of a method whose receiver has the right type.
  private func method(
    _ builtin: Builtin, on receiver: Shape, rows: [OperandTypes.Row], with arguments: [Cases],
    at id: ExprID
  ) -> Cases {
    if builtin == .mapGet {
      // Key and default are both evaluated, but the value of the default matters only where it is read.
      let (key, fallback) = (arguments[0], arguments[1])
      let keys = rows.map { OperandTypes.Row([$0.operands[0]], giving: $0.result) }
      let found = guarded(by: keys, operands: [key], at: id) {
        get(from: receiver, key: $0[0], fallback: fallback, at: id)
      }
      return under(defined(fallback), value: found)
    }
    return guarded(by: rows, operands: arguments, at: id) {
      apply(builtin, on: receiver, with: $0, at: id)
    }
  }

  /// Returns the result of a built-in for operands that fit.
  private func apply(
    _ builtin: Builtin, on receiver: Shape?, with arguments: [Shape], at id: ExprID
  ) -> Cases {
    let operands = (receiver.map { [$0] } ?? []) + arguments
    // A constant map does not keep the order of its keys.
    if builtin == .mapValues { return values(of: operands[0], id) }
    if builtin != .mapDiff {
      let known = evaluated(operands, at: id) { values throws(EvaluationError.Reason) in
        try PureFunctions.call(
          builtin, on: receiver == nil ? nil : values[0],
          with: receiver == nil ? values : Array(values.dropFirst()))
      }
      if let known { return known }
    }
    if builtin.takesPattern, case .string(let source) = value(of: arguments[0]),
      problem.isTooLarge(pattern: source)
    {
      return unmodelled(at: id, reason: .patternTooLarge)
    }
    if let receiver, let followed = follow(builtin, on: receiver, with: arguments, at: id) {
      return followed
    }
    return function(builtin, of: operands, at: id)
  }

  /// Returns the interpreted result of a method; nil if it is only an uninterpreted function.
  private func follow(
    _ builtin: Builtin, on receiver: Shape, with arguments: [Shape], at id: ExprID
  ) -> Cases? {
    switch receiver {
    case .term(let term): return follow(builtin, on: term, with: arguments, at: id)
    case .keyList(let keys), .keySet(let keys):
      return follow(builtin, on: keys, with: arguments, at: id)
    case .diff(let after, let before):
      return Self.fates[builtin].map {
        Cases(.keySet(keySet(after: after, before: before, fates: $0)))
      }
    case .list(let elements), .set(let elements):
      return follow(builtin, on: receiver, elements: elements, with: arguments, at: id)
    case .record(let fields): return follow(builtin, on: fields)
    case .path(let segments):
      return builtin == .pathSegments ? Cases(.list(segments.map { Cases($0) })) : nil
    case .view, .truth, .count: return nil
    }
  }

  private static let fates: [Builtin: KeyFates] = [
    .diffAddedKeys: [.added], .diffRemovedKeys: [.removed], .diffChangedKeys: [.changed],
    .diffAffectedKeys: [.added, .removed, .changed], .diffUnchangedKeys: [.kept],
  ]

  private static let questions: [Builtin: HasMethod] = [
    .listHasOnly: .only, .listHasAll: .all, .listHasAny: .any,
    .setHasOnly: .only, .setHasAll: .all, .setHasAny: .any,
  ]

  // MARK: Sets of keys

  private func follow(
    _ builtin: Builtin, on keys: KeySet, with arguments: [Shape], at id: ExprID
  ) -> Cases? {
    if let question = Self.questions[builtin] {
      return comparison(builtin, of: .keyList(keys), with: arguments[0], at: id)
        ?? has(question, on: keys, with: arguments[0], at: id)
    }
    switch builtin {
    case .listSize, .setSize: return Cases(.count(keys))
    case .listToSet: return Cases(.keySet(keys))
    case .setUnion, .setIntersection, .setDifference:
      return combined(builtin, of: keys, and: arguments[0], at: id)
    default: return nil
    }
  }

  // MARK: List, set and map literals

  private func follow(
    _ builtin: Builtin, on receiver: Shape, elements: [Cases], with arguments: [Shape],
    at id: ExprID
  ) -> Cases? {
    if let question = Self.questions[builtin] {
      // A set fails on a constraint of a query's filters.
      if types(of: receiver) == .set, canHoldConstraint(arguments[0]) { return nil }
      switch arguments[0] {
      case .keyList(let keys), .keySet(let keys):
        return has(question.mirrored, on: keys, with: receiver, at: id)
      default: break
      }
      return ask(question, on: receiver, elements: elements, with: arguments[0], at: id)
    }
    switch builtin {
    case .listSize: return Cases(problem.constant(.int(Int64(elements.count))))
    case .listToSet: return canHoldConstraint(receiver) ? nil : Cases(.set(elements))
    case .listConcat:
      guard let others = listed(arguments[0]), !Cases.areTooHeavy(elements + others) else {
        return nil
      }
      return Cases(.list(elements + others))
    default: return nil
    }
  }

  /// Returns `hasAny`, `hasAll` or `hasOnly` of a literal: each element of one operand is looked up in the
  /// other one.
  private func ask(
    _ question: HasMethod, on receiver: Shape, elements: [Cases], with argument: Shape,
    at id: ExprID
  ) -> Cases? {
    let isSet = types(of: receiver) == .set
    guard let others = listed(argument) else {
      guard case .term(let list) = argument, question != .all, !isSet else { return nil }
      return ask(question, of: elements, with: list, at: id)
    }
    let (searched, wanted) = question == .only ? (others, elements) : (elements, others)
    var found: [Ref] = []
    for element in wanted {
      found.append(
        membership(of: element, in: Cases(isSet ? .set(searched) : .list(searched)), at: id).yes)
    }
    return Cases(.truth(question == .any ? problem.graph.or(found) : problem.graph.and(found)))
  }

  /// Returns `hasAny` or `hasOnly` of a literal and a list that is a term.
  private func ask(
    _ question: HasMethod, of elements: [Cases], with list: TermID, at id: ExprID
  ) -> Cases {
    var found: [Ref] = []
    for element in elements {
      found.append(membership(of: element, in: Cases(list), at: id).yes)
    }
    return Cases(.truth(question == .any ? problem.graph.or(found) : problem.graph.and(found)))
  }

  /// Returns the elements of a list or set that is a literal or constant; nil for others.
  func listed(_ shape: Shape) -> [Cases]? {
    switch shape {
    case .list(let elements), .set(let elements): return elements
    case .term(let term):
      switch problem.terms.value(of: term) {
      case .list(let values): return values.map { Cases(problem.constant($0)) }
      case .set(let set): return set.elements.map { Cases(problem.constant($0)) }
      default: return nil
      }
    case .truth, .record, .view, .path, .keyList, .keySet, .count, .diff: return nil
    }
  }

  private func follow(_ builtin: Builtin, on fields: [Shape.Field]) -> Cases? {
    switch builtin {
    case .mapKeys:
      let sorted = fields.map { $0.key }.sorted(by: Text.precedesByCodePoint)
      return Cases(problem.constant(.list(sorted.map { .string($0) })))
    case .mapSize: return Cases(problem.constant(.int(Int64(fields.count))))
    default: return nil
    }
  }

  // MARK: Terms

  private func follow(
    _ builtin: Builtin, on term: TermID, with arguments: [Shape], at id: ExprID
  ) -> Cases? {
    if builtin == .mapDiff { return diff(of: term, from: arguments[0]) }
    if problem.terms.value(of: term) != nil {
      return listed(.term(term)).flatMap {
        follow(builtin, on: .term(term), elements: $0, with: arguments, at: id)
      }
    }
    switch builtin {
    case .mapKeys: return Cases(.keyList(keySet(of: term)))
    case .mapSize: return mapSize(of: term)
    case .stringSize, .listSize, .bytesSize:
      return Cases(problem.terms.apply(.size, to: [term], types: .int))
    case .stringMatches: return matches(term, pattern: arguments[0])
    case .listHasAny, .listHasAll, .listHasOnly:
      guard let elements = listed(arguments[0]) else {
        return comparison(builtin, of: .term(term), with: arguments[0], at: id)
      }
      return ask(builtin, on: term, with: elements, at: id)
    case .constraintHasAny: return promiseHasAny(term, of: arguments[0], at: id)
    default: return nil
    }
  }

  /// Returns the number of keys of a map.
  ///
  /// Counting keys takes a proposition for each named key and each number up to the compared one. If the
  /// receiver may also be a list or string, `size()` is mostly meant for these: with many named keys, the
  /// size of a map is then an uninterpreted function.
  private func mapSize(of term: TermID) -> Cases {
    guard keys.count > SearchStrategy.constantParts, problem.terms.types(of: term) != .map else {
      return Cases(.count(keySet(of: term)))
    }
    let size = problem.terms.apply(.builtin(.mapSize), to: [term], types: .int)
    problem.require(!problem.atMost(size, in: .int, bound: -1))
    return Cases(size)
  }

  private func matches(_ term: TermID, pattern: Shape) -> Cases? {
    guard case .string(let source) = value(of: pattern) else { return nil }
    return problem.matches(term, pattern: source).map { Cases(.truth($0)) }
  }

  private func ask(
    _ builtin: Builtin, on list: TermID, with elements: [Cases], at id: ExprID
  ) -> Cases? {
    // The memberships are created for `hasOnly` too: together with the size they say much about the list.
    var found: [Ref] = []
    for element in elements { found.append(membership(of: element, in: Cases(list), at: id).yes) }
    if builtin == .listHasOnly {
      guard let values = constantValues(elements) else { return nil }
      let allowed = problem.constant(.list(values))
      onlyElements.append((list, allowed))
      return Cases(.truth(problem.holds(.onlyElements, of: [list, allowed])))
    }
    return Cases(
      .truth(builtin == .listHasAny ? problem.graph.or(found) : problem.graph.and(found)))
  }

  /// Returns `after.diff(before)`; nil unless both are terms without constraints of a query's filters.
  private func diff(of after: TermID, from argument: Shape) -> Cases? {
    guard case .term(let before) = argument, !canHoldConstraint(.term(after)),
      !canHoldConstraint(argument)
    else { return nil }
    return Cases(.diff(after: after, before: before))
  }

  // MARK: Values by key

  /// Returns `map.get(key, default)` for a key or a list of keys, where both arguments are defined.
  private func get(from map: Shape, key: Shape, fallback: Cases, at id: ExprID) -> Cases {
    switch value(of: key) {
    case .string(let name):
      return reached([problem.text(name)], from: map, fallback: fallback, at: id)
    case .list(let values):
      var names: [TermID] = []
      for value in values {
        // The evaluator checks that all keys are strings before it follows any.
        guard case .string(let name) = value else { return .error }
        names.append(problem.text(name))
      }
      return reached(names[...], from: map, fallback: fallback, at: id)
    default: break
    }
    guard let term = key.asTerm else { return opaque(at: id, reason: "a computed path of keys") }
    let found = under(
      isType(of: key, in: .string), value: reached([term], from: map, fallback: fallback, at: id))
    let isList = isType(of: key, in: .list)
    return isList == .no
      ? found : found.union(under(isList, value: opaque(at: id, reason: "a computed path of keys")))
  }

  /// Returns the value at the end of a path of keys, or the default if a key is missing.
  private func reached(
    _ names: ArraySlice<TermID>, from here: Shape, fallback: Cases, at id: ExprID
  ) -> Cases {
    guard let name = names.first else { return Cases(here) }
    let rest = names.dropFirst()
    switch here {
    case .term(let term):
      let found = field(of: term, at: name)
      let inner = each(of: found) { reached(rest, from: $0, fallback: fallback, at: id) }
      return inner.union(under(!defined(found), value: fallback))
    case .record(let fields):
      guard case .string(let key) = problem.terms.value(of: name) else {
        return opaque(at: id, reason: "a computed key")
      }
      guard let field = fields.first(where: { $0.key == key }) else { return fallback }
      return each(of: field.value) { reached(rest, from: $0, fallback: fallback, at: id) }
    case .view: return opaque(at: id, reason: "`get` of a request")
    // A value that is not a map has no keys.
    case .truth, .list, .set, .path, .keyList, .keySet, .count, .diff: return fallback
    }
  }

  /// Returns the values of a map. Their order is that in which the keys were written, which equality of maps
  /// ignores.
  private func values(of map: Shape, _ id: ExprID) -> Cases {
    if case .map(let known) = value(of: map), known.count < 2 {
      return Cases(problem.constant(.list(known.values)))
    }
    if case .record(let fields) = map, fields.count < 2 {
      return Cases(.list(fields.map { $0.value }))
    }
    let reason = "the order of a map's values"
    guard value(of: map) != nil, let place = unknowns.place else {
      return opaque(at: id, reason: reason, types: .list)
    }
    // A constant does not keep the order, so the unknown is shared with no other place, and in the body of a
    // function not even with another call.
    let isOwn = place.frame.locals.isEmpty
    if !isOwn { orderCount += 1 }
    let number =
      isOwn
      ? ownUnknowns[place] ?? unknowns.number(of: nil, at: id, reason: reason)
      : unknowns.number(of: nil, at: id, reason: reason)
    ownUnknowns[place] = number
    return opaque(number: number, at: id, reason: reason, types: .list)
  }

  // MARK: Two lists that are terms

  /// Returns `hasAll`, `hasOnly` or `hasAny` of two lists that are fields or keys of maps; nil for others.
  private func comparison(
    _ builtin: Builtin, of list: Shape, with argument: Shape, at id: ExprID
  ) -> Cases? {
    guard builtin == .listHasAll || builtin == .listHasOnly || builtin == .listHasAny,
      let one = listTerm(list), let other = listTerm(argument), one != other
    else { return nil }
    return function(builtin, of: [.term(one), .term(other)], at: id)
  }

  /// Returns the term of a list that is a term, or of the keys of a map; nil for literals and constants.
  private func listTerm(_ shape: Shape) -> TermID? {
    switch shape {
    case .term(let term): return problem.terms.value(of: term) == nil ? term : nil
    case .keyList(let keys):
      // Filters name only some keys of a promised map.
      guard case .map(let map) = keys.origin, problem.terms.value(of: map) == nil,
        !canHoldConstraint(.term(map)), keys == keySet(of: map)
      else { return nil }
      return problem.terms.apply(.builtin(.mapKeys), to: [map], types: .list)
    default: return nil
    }
  }

  // MARK: Uninterpreted functions

  /// Returns the result of a built-in as an uninterpreted function of its arguments, which fit.
  private func function(_ builtin: Builtin, of shapes: [Shape], at id: ExprID) -> Cases {
    let entry = Builtins.entry(builtin)
    var terms: [TermID] = []
    for shape in shapes {
      if case .path(let segments) = shape {
        terms.append(term(ofPath: segments))
        continue
      }
      guard case .term(let term) = shape else {
        return opaque(
          at: id, reason: "`\(entry.fullName)` of a computed value", types: entry.result)
      }
      terms.append(term)
    }
    let isDefined = problem.holds(.definedBuiltin(builtin), of: terms)
    let value = problem.terms.apply(.builtin(builtin), to: terms, types: entry.result)
    let whether = problem.terms.apply(.definedBuiltin(builtin), to: terms, types: .bool)
    note([value, whether], at: id, as: "`\(entry.fullName)`")
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .term(value))])
  }
}

extension Builtin {
  /// True if the first argument is a regular expression.
  fileprivate var takesPattern: Bool {
    switch self {
    case .stringMatches, .stringSplit, .stringReplace: true
    default: false
    }
  }
}
