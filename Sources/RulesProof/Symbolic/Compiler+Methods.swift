import RulesEval
import RulesLang

// Built-in functions and methods.

extension Compiler {
  func builtinCall(
    _ builtin: Builtin, _ arguments: [Cases], _ id: ExprID, _ frame: SymbolicFrame
  ) -> Cases {
    switch builtin {
    case .get, .exists, .getAfter, .existsAfter: return lookup(builtin, arguments, id, frame)
    case .debug: return arguments.first ?? .error
    default: return function(builtin, nil, arguments, id)
    }
  }

  func method(_ receiver: Cases, _ name: Text, _ arguments: [Cases], _ id: ExprID) -> Cases {
    each(receiver) { shape in
      switch shape {
      case .term(let term): return method(term, name, arguments, id)
      case .keyList(let keys): return method(keys, .list, name, arguments, id)
      case .keySet(let keys): return method(keys, .set, name, arguments, id)
      case .diff(let after, let before):
        guard let fates = Self.fates[name], arguments.isEmpty else { return .error }
        return Cases(.keySet(keySet(after: after, before: before, fates: fates)))
      case .list(let elements): return method(elements, .list, name, arguments, id)
      case .set(let elements): return method(elements, .set, name, arguments, id)
      case .record(let fields): return method(fields, name, arguments, id)
      case .view:
        return builtin(name, .map, arguments.count) == nil
          ? .error : opaque(id, "`\(String(name))` of a request")
      case .truth, .count: return .error
      case .path: return name == "bind" ? opaque(id, "binding a path") : .error
      }
    }
  }

  private static let fates: [Text: KeyFates] = [
    "addedKeys": [.added], "removedKeys": [.removed], "changedKeys": [.changed],
    "affectedKeys": [.added, .removed, .changed], "unchangedKeys": [.kept],
  ]

  private static let questions: [Text: HasMethod] = [
    "hasOnly": .only, "hasAll": .all, "hasAny": .any,
  ]

  // MARK: Sets of keys

  private func method(
    _ keys: KeySet, _ type: ValueType, _ name: Text, _ arguments: [Cases], _ id: ExprID
  ) -> Cases {
    guard let builtin = builtin(name, type, arguments.count) else { return .error }
    if let question = Self.questions[name] { return has(question, keys, arguments[0], id) }
    switch builtin {
    case .listSize, .setSize: return Cases(.count(keys))
    case .listToSet: return Cases(.keySet(keys))
    case .setUnion, .setIntersection, .setDifference:
      return combined(builtin, keys, arguments[0], id)
    default: return opaque(id, "`\(String(name))` of the keys of a map")
    }
  }

  /// The method with this name and number of arguments.
  private func builtin(_ name: Text, _ type: ValueType, _ count: Int) -> Builtin? {
    let entry = Builtins.methods(named: name).first { $0.receiver == type }
    guard let entry, entry.overloads.contains(where: { $0.count == count }) else { return nil }
    return entry.builtin
  }

  // MARK: Lists and records that are written out

  private func method(
    _ elements: [Cases], _ type: ValueType, _ name: Text, _ arguments: [Cases], _ id: ExprID
  ) -> Cases {
    guard let builtin = builtin(name, type, arguments.count) else { return .error }
    switch builtin {
    case .listSize where type == .list:
      return Cases(problem.constant(.int(Int64(elements.count))))
    case .listToSet: return Cases(.set(elements))
    case .listHasAny, .listHasAll, .listHasOnly:
      guard let question = Self.questions[name] else { return .error }
      return ask(question, elements, arguments[0], id)
    case .listConcat:
      guard case .list(let others) = arguments[0].only else {
        return opaque(id, "`concat` with a computed list")
      }
      return Cases(.list(elements + others))
    default: return opaque(id, "`\(String(name))` of a list with computed elements")
    }
  }

  /// `hasAny` and so on between two lists that are written out: each element of one is looked for
  /// in the other.
  private func ask(
    _ question: HasMethod, _ elements: [Cases], _ argument: Cases, _ id: ExprID
  ) -> Cases {
    each(argument) { shape in
      guard let others = listed(shape) else {
        guard case .term(let list) = shape else { return opaque(id, "a computed list") }
        return ask(question, elements, list, id)
      }
      let (searched, wanted) = question == .only ? (others, elements) : (elements, others)
      var found: [Ref] = []
      for element in wanted {
        let rails = membership(element, Cases(.list(searched)), id)
        found.append(rails.yes)
      }
      return Cases(
        .truth(question == .any ? problem.graph.or(found) : problem.graph.and(found)))
    }
  }

  /// The same, with an argument that is a term.
  private func ask(
    _ question: HasMethod, _ elements: [Cases], _ list: TermID, _ id: ExprID
  ) -> Cases {
    guard question != .all else { return opaque(id, "`hasAll` of a computed list") }
    let isList = problem.isType(list, .list)
    var found: [Ref] = []
    for element in elements {
      found.append(membership(element, Cases(list), id).yes)
    }
    let holds = question == .any ? problem.graph.or(found) : problem.graph.and(found)
    return Cases(cases: [Cases.Case(guardRef: isList, shape: .truth(holds))])
  }

  /// The elements of a list that is written out.
  private func listed(_ shape: Shape) -> [Cases]? {
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

  private func method(
    _ fields: [Shape.Field], _ name: Text, _ arguments: [Cases], _ id: ExprID
  ) -> Cases {
    guard let builtin = builtin(name, .map, arguments.count) else { return .error }
    switch builtin {
    case .mapKeys:
      let sorted = fields.map { $0.key }.sorted(by: Text.precedesByCodePoint)
      return Cases(problem.constant(.list(sorted.map { .string($0) })))
    case .mapSize: return Cases(problem.constant(.int(Int64(fields.count))))
    case .mapGet:
      guard let key = arguments[0].onlyTerm, case .string(let name) = problem.terms.value(of: key)
      else { return opaque(id, "a computed key") }
      // The default is evaluated in any case; its error is an error of the call.
      let isDefined = defined(arguments[1])
      return under(
        isDefined, fields.first { $0.key == name }?.value ?? arguments[1])
    default: return opaque(id, "`\(String(name))` of a map with computed values")
    }
  }

  // MARK: Terms

  /// A method of a term: of each type that the term can have.
  private func method(
    _ term: TermID, _ name: Text, _ arguments: [Cases], _ id: ExprID
  ) -> Cases {
    var result = Cases.error
    for entry in Builtins.methods(named: name) {
      guard let receiver = entry.receiver,
        entry.overloads.contains(where: { $0.count == arguments.count })
      else { continue }
      let isOf = problem.isType(term, TypeSet(receiver))
      if isOf == .no { continue }
      result = result.union(under(isOf, method(term, entry.builtin, arguments, id)))
    }
    return result
  }

  private func method(
    _ term: TermID, _ builtin: Builtin, _ arguments: [Cases], _ id: ExprID
  ) -> Cases {
    if problem.terms.value(of: term) == nil {
      switch builtin {
      case .mapKeys: return Cases(.keyList(keySet(of: term)))
      case .mapSize: return Cases(.count(keySet(of: term)))
      case .stringSize, .listSize, .bytesSize:
        return Cases(problem.terms.apply(.size, [term], .int))
      case .stringMatches: return matches(term, arguments[0], id)
      case .listHasAny, .listHasAll, .listHasOnly:
        return ask(builtin, term, arguments[0], id)
      case .constraintHasAny: return promiseHasAny(term, arguments[0], id)
      default: break
      }
    }
    switch builtin {
    case .mapDiff: return diff(term, arguments[0], id)
    case .mapGet: return get(term, arguments[0], arguments[1], id)
    default: return function(builtin, Cases(term), arguments, id)
    }
  }

  private func matches(_ term: TermID, _ pattern: Cases, _ id: ExprID) -> Cases {
    if let literal = pattern.onlyTerm, case .string(let source) = problem.terms.value(of: literal),
      let matches = problem.matches(term, source)
    {
      return Cases(.truth(matches))
    }
    return function(.stringMatches, Cases(term), [pattern], id)
  }

  private func ask(
    _ builtin: Builtin, _ list: TermID, _ argument: Cases, _ id: ExprID
  ) -> Cases {
    each(argument) { shape in
      guard case .term(let term) = shape else {
        guard let elements = listed(shape) else { return opaque(id, "a computed list") }
        return ask(builtin, list, elements, id)
      }
      guard case .list(let values) = problem.terms.value(of: term) else {
        return function(builtin, Cases(list), [Cases(term)], id)
      }
      return ask(builtin, list, values.map { Cases(problem.constant($0)) }, id)
    }
  }

  private func ask(
    _ builtin: Builtin, _ list: TermID, _ elements: [Cases], _ id: ExprID
  ) -> Cases {
    var found: [Ref] = []
    for element in elements { found.append(membership(element, Cases(list), id).yes) }
    switch builtin {
    case .listHasAny: return Cases(.truth(problem.graph.or(found)))
    case .listHasAll: return Cases(.truth(problem.graph.and(found)))
    default:
      guard let values = constantValues(elements) else {
        return opaque(id, "`hasOnly` with computed elements")
      }
      let allowed = problem.constant(.list(values))
      onlyElements.append((list, allowed))
      return Cases(.truth(problem.holds(.onlyElements, [list, allowed])))
    }
  }

  /// `after.diff(before)` of two maps.
  private func diff(_ after: TermID, _ argument: Cases, _ id: ExprID) -> Cases {
    each(argument) { shape in
      switch shape {
      case .term(let before):
        let isMap = problem.isType(before, .map)
        return Cases(cases: [
          Cases.Case(guardRef: isMap, shape: .diff(after: after, before: before))
        ])
      case .record, .view: return opaque(id, "`diff` with a map of computed values")
      case .truth, .list, .set, .path, .keyList, .keySet, .count, .diff: return .error
      }
    }
  }

  /// `map.get(key, default)`, with a key or a list of keys.
  private func get(_ map: TermID, _ key: Cases, _ fallback: Cases, _ id: ExprID) -> Cases {
    // Key and default are evaluated in any case.
    let isDefined = defined(fallback)
    return under(
      isDefined,
      each(key) { shape in
        guard case .term(let term) = shape else { return opaque(id, "a computed key") }
        if case .list(let names) = problem.terms.value(of: term) {
          return walk(Cases(map), names, fallback)
        }
        let isKey = problem.isType(term, .string)
        let found = under(isKey, step(Cases(map), term, fallback))
        let isList = problem.isType(term, .list)
        return isList == .no
          ? found : found.union(under(isList, opaque(id, "a computed path of keys")))
      })
  }

  private func walk(_ value: Cases, _ names: [Value], _ fallback: Cases) -> Cases {
    var value = value
    for name in names {
      guard case .string(let text) = name else { return .error }
      value = step(value, problem.text(text), fallback)
    }
    return value
  }

  /// The value of a key where there is one, else the default.
  private func step(_ value: Cases, _ key: TermID, _ fallback: Cases) -> Cases {
    each(value) { shape in
      guard case .term(let term) = shape else { return fallback }
      let found = field(term, key)
      return found.union(under(!defined(found), fallback))
    }
  }

  // MARK: Functions of which nothing is known but their values

  /// A built-in as a function of its arguments.
  func function(
    _ builtin: Builtin, _ receiver: Cases?, _ arguments: [Cases], _ id: ExprID
  ) -> Cases {
    let all = (receiver.map { [$0] } ?? []) + arguments
    if let constants = constantValues(all) {
      let first = receiver == nil ? nil : constants[0]
      let rest = receiver == nil ? constants : Array(constants.dropFirst())
      guard let value = try? PureFunctions.call(builtin, receiver: first, rest) else {
        return .error
      }
      return Cases(problem.constant(value))
    }
    return product(all) { function(builtin, hasReceiver: receiver != nil, $0, id) }
  }

  /// Applies something to each combination of cases.
  private func product(_ all: [Cases], _ body: ([Shape]) -> Cases) -> Cases {
    var combinations: [(guardRef: Ref, shapes: [Shape])] = [(.yes, [])]
    for value in all {
      combinations = combinations.flatMap { combination in
        value.cases.map { each in
          (
            problem.graph.and(combination.guardRef, each.guardRef),
            combination.shapes + [each.shape]
          )
        }
      }
      if combinations.count > Compiler.greatestCases { break }
    }
    return Cases(cases: combinations.flatMap { under($0.guardRef, body($0.shapes)).cases })
  }

  private func function(
    _ builtin: Builtin, hasReceiver: Bool, _ shapes: [Shape], _ id: ExprID
  ) -> Cases {
    var terms: [TermID] = []
    for shape in shapes {
      guard case .term(let term) = shape else {
        return opaque(id, "`\(Builtins.entry(builtin).fullName)` of a computed value")
      }
      terms.append(term)
    }
    let entry = Builtins.entry(builtin)
    let arguments = hasReceiver ? Array(terms.dropFirst()) : terms
    let fits = problem.graph.or(
      entry.overloads.filter { $0.count == arguments.count }.map { overload in
        problem.graph.and(
          zip(overload, arguments).map { problem.isType($0.1, $0.0.accepted) })
      })
    if fits == .no { return .error }
    let isDefined = problem.graph.and(fits, problem.holds(.definedBuiltin(builtin), terms))
    let value = problem.terms.apply(.builtin(builtin), terms, entry.result)
    let whether = problem.terms.apply(.definedBuiltin(builtin), terms, .bool)
    note([value, whether], id, "`\(entry.fullName)`")
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .term(value))])
  }
}

extension Builtin.Parameter {
  /// The types that fit.
  fileprivate var accepted: TypeSet {
    ValueType.allCases.reduce([]) { accepts($1) ? $0.union(TypeSet($1)) : $0 }
  }
}
