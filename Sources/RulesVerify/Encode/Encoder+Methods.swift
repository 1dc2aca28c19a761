import RulesEval
import RulesLang

// Calls of built-ins. The table of built-ins gives receivers and parameter types.

extension Encoder {
  /// Returns "receiver and arguments have types that the built-in accepts".
  func fits(_ builtin: Builtin, given terms: [Term]) -> Prop {
    let entry = Builtins.entry(builtin)
    var parts: [Prop] = []
    var arguments = terms[...]
    if let receiver = entry.receiver, let first = arguments.popFirst() {
      parts.append(question.isType(of: first, in: TypeSet(receiver)))
    }
    var overloads: [Prop] = []
    for overload in entry.overloads where overload.count == arguments.count {
      var fits: [Prop] = []
      for (parameter, argument) in zip(overload, arguments) {
        let accepted = ValueType.allCases.filter { parameter.accepts($0) }
        fits.append(
          question.isType(of: argument, in: accepted.reduce([]) { $0.union(TypeSet($1)) }))
      }
      overloads.append(question.all(fits))
    }
    return question.all(parts + [question.any(overloads)])
  }

  /// True if the built-in never fails on arguments of the right types.
  func isTotal(_ builtin: Builtin, on terms: [Term]) -> Bool {
    switch builtin {
    case .stringSize, .stringLower, .stringUpper, .stringTrim, .stringToUTF8, .bytesSize,
      .bytesToBase64, .bytesToHexString, .listSize, .setSize, .mapSize, .mapKeys, .mapValues,
      .listHasAll, .listHasAny, .listHasOnly, .diffAddedKeys, .diffRemovedKeys, .diffChangedKeys,
      .diffAffectedKeys, .diffUnchangedKeys, .durationSeconds, .durationNanos, .timestampYear,
      .timestampMonth, .timestampDay, .timestampDayOfWeek, .timestampDayOfYear, .timestampHours,
      .timestampMinutes, .timestampSeconds, .timestampNanos, .timestampToMillis, .timestampDateOf,
      .timestampTime, .latlngLatitude, .latlngLongitude, .latlngDistance, .mathAbs, .mathCeil,
      .mathFloor, .mathRound, .mathSqrt, .mathPow, .mathIsNaN, .mathIsInfinity, .hashingCRC32,
      .hashingCRC32C,
      .hashingMD5, .hashingSHA256:
      return true
    // Fail only on values that a query's filters leave open.
    case .mapDiff, .listToSet, .setUnion, .setIntersection, .setDifference, .setHasAll, .setHasAny,
      .setHasOnly:
      return kind.method != .list
    case .stringMatches:
      return question.text(of: terms[1]).map { question.pattern($0) != nil } ?? false
    case .int, .float: return question.types(of: terms[0]).isSubset(of: Question.numbers)
    case .string:
      return question.types(of: terms[0]).isSubset(of: [.null, .bool, .int, .float, .string])
    case .path, .get, .exists, .getAfter, .existsAfter, .value, .vector, .debug, .timestampValue,
      .timestampDate,
      .durationValue, .durationTime, .durationAbs, .latlngValue, .stringSplit, .stringReplace,
      .listConcat, .listRemoveAll, .listJoin, .mapGet, .pathBind, .pathSegments, .constraintHasAny:
      return false
    }
  }

  /// Returns the value of `receiver.name(arguments)`, over all receiver types that have such a
  /// method.
  func method(_ name: Text, on receiver: Term, with arguments: [Term]) -> Cases {
    let terms = [receiver] + arguments
    let entries = Builtins.methods(named: name)
    if entries.isEmpty { return unknownCall("method " + name, on: terms) }
    return entries.reduce(.error) { found, entry in
      let when = fits(entry.builtin, given: terms)
      return when == .no ? found : found + under(when, value: method(entry.builtin, on: terms))
    }
  }

  /// Returns the result of a function or method that the table of built-ins does not have:
  /// uninterpreted, possibly an error.
  func unknownCall(_ name: Text, on terms: [Term]) -> Cases {
    computed(.compose("call " + name), of: terms, when: .yes)
  }

  /// Returns the value of a method.
  ///
  /// - Requires: The types are accepted.
  private func method(_ builtin: Builtin, on terms: [Term]) -> Cases {
    switch builtin {
    case .stringSplit, .stringReplace:
      // Sets `isUnmodelled` if the pattern is too large.
      if let source = question.text(of: terms[1]) { _ = question.pattern(source) }
    case .mapGet: return get(from: terms[0], at: terms[1], default: terms[2])
    case .mapSize: return size(question.apply(.value(.builtin(.mapKeys)), to: [terms[0]]))
    // The order of values is that of writing, which equal maps need not share.
    case .mapValues:
      orderCount += 1
      return Cases(fresh(.list))
    case .stringSize, .bytesSize, .listSize, .setSize: return size(terms[0])
    case .stringMatches:
      if let source = question.text(of: terms[1]), let pattern = question.pattern(source),
        PatternMachine(pattern) != nil, let matches = question.matches(terms[0], pattern: source)
      {
        return cases(of: total(matches))
      }
    case .listHasAny, .listHasAll, .listHasOnly, .setHasAny, .setHasAll, .setHasOnly:
      if let holds = hasQuestion(builtin, of: terms[0], and: terms[1]) {
        return under(
          isTotal(builtin, on: terms)
            ? .yes : question.holds(.defined(.builtin(builtin)), of: terms),
          value: cases(of: total(holds)))
      }
    default: break
    }
    return computed(.builtin(builtin), of: terms, when: .yes, total: isTotal(builtin, on: terms))
  }

  /// Returns the number of units, octets, elements or keys, which is not negative.
  private func size(_ term: Term) -> Cases {
    if let elements = elements(of: term), question.types(of: term) == .list {
      return Cases(question.constant(.int(Int64(elements.count))))
    }
    let size = question.apply(.size, to: [term])
    if question.value(of: size) == nil {
      question.require(!question.most(size, on: .int, bound: -1))
      if let keys = keySet(term) { sizes[size] = keys }
    }
    return Cases(size)
  }

  // MARK: get

  /// Returns the value of `map.get(key, default)`, where the key is a string or a list of strings.
  private func get(from map: Term, at key: Term, default fallback: Term) -> Cases {
    if case .list(let names)? = question.value(of: key) {
      var keys: [Term] = []
      for name in names {
        // All keys are type-checked before the first lookup.
        guard case .string(let text) = name else { return .error }
        keys.append(question.text(text))
      }
      return reached(keys[...], in: map, default: fallback)
    }
    let isKey = question.isType(of: key, in: .string)
    return under(isKey, value: reached([key], in: map, default: fallback))
      + computed(.builtin(.mapGet), of: [map, key, fallback], when: !isKey)
  }

  /// Follows `keys` from `map` and returns the value, or the default if a key is missing or its
  /// base is not a map. Inside a promise, a missing key may also be an error.
  private func reached(_ keys: ArraySlice<Term>, in map: Term, default fallback: Term) -> Cases {
    guard let key = keys.first else { return Cases(map) }
    let found = field(of: map, at: key)
    var isMissing = !defined(found)
    if kind.method == .list, !question.isData(map) {
      isMissing = question.all([
        isMissing, question.holds(.defined(.compose("get")), of: [map, key]),
      ])
    }
    return each(of: [found]) { reached(keys.dropFirst(), in: $0[0], default: fallback) }
      + Cases(fallback, when: isMissing)
  }

  // MARK: Members of lists and sets

  /// Returns the rails of `element in container`.
  func membership(of element: Term, in container: Term) -> Rails {
    var (yes, no): ([Prop], [Prop]) = ([], [])
    func add(when: Prop, _ isInside: () -> Prop) {
      if when == .no { return }
      let isInside = isInside()
      yes.append(question.all([when, isInside]))
      no.append(question.all([when, !isInside]))
    }
    add(when: question.isType(of: container, in: [.list])) { isMember(element, of: container) }
    let isSet = question.isType(of: container, in: .set)
    if isSet != .no {
      let isKnown =
        kind.method != .list
        ? .yes : question.holds(.defined(.compose("in")), of: [element, container])
      add(when: question.all([isSet, isKnown])) { isMember(element, of: container) }
    }
    let isMap = question.all([
      question.isType(of: container, in: .map), question.isType(of: element, in: .string),
    ])
    add(when: isMap) { has(container, key: element) }
    let bound = question.isType(of: container, in: .constraint)
    if bound != .no {
      yes.append(
        question.all([bound, question.holds(.defined(.compose("in")), of: [element, container])]))
    }
    return Rails(yes: question.any(yes), no: question.any(no))
  }

  /// Returns "the container has the element": by type and `==` for lists, by set equality for sets.
  private func isMember(_ element: Term, of container: Term) -> Prop {
    if let keys = keySet(container), keys.origin != nil {
      if let place = self.keys.firstIndex(of: element) { return keys.named[place] }
      if !question.types(of: element).contains(.string) { return .no }
    }
    guard let elements = elements(of: container) else {
      return question.holds(.member, of: [container, element])
    }
    let isSet = question.types(of: container) == .set
    var cases: [Prop] = []
    for one in elements {
      cases.append(
        isSet ? question.setEqual(element, one) : question.areMembers(element, one))
    }
    return question.any(cases)
  }

  /// Returns `hasAny`, `hasAll` or `hasOnly`; nil if the elements and key sets of the operands do not
  /// determine it.
  private func hasQuestion(_ builtin: Builtin, of one: Term, and other: Term) -> Prop? {
    if let keys = keySet(one), let others = keySet(other) {
      switch builtin {
      case .listHasAny, .setHasAny: return meets(keys, others)
      case .listHasAll, .setHasAll: return isSubset(others, of: keys)
      default: return isSubset(keys, of: others)
      }
    }
    let isOfSets = builtin == .setHasAny || builtin == .setHasAll || builtin == .setHasOnly
    // Elements of a set are compared by set equality, also with those of a list.
    if isOfSets, question.types(of: other) != .set, elements(of: one) == nil { return nil }
    let container = isOfSets && question.types(of: other) != .set ? nil : other
    var found: [Prop] = []
    switch builtin {
    case .listHasAny, .setHasAny, .listHasAll, .setHasAll:
      guard let wanted = elements(of: other) else { return nil }
      for element in wanted { found.append(isMember(element, of: one)) }
      return builtin == .listHasAny || builtin == .setHasAny
        ? question.any(found) : question.all(found)
    default:
      if let own = elements(of: one), let container {
        for element in own { found.append(isMember(element, of: container)) }
        return question.all(found)
      }
      if isOfSets || question.value(of: other) == nil { return nil }
      return question.holds(.only, of: [one, other])
    }
  }
}
