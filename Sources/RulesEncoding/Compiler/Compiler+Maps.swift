import RulesEval
import RulesLang
import RulesSolver

// Axioms about the keys of one map. If it has named keys only, its keys and their values determine it.

extension Compiler {
  /// The questions that conditions ask about a map.
  private struct Questions {
    var keys: Set<TermID> = []
    var fields: Set<TermID> = []
    var isAskedForUnnamed = false
    var isOdd = false
  }

  /// Links the questions about each map.
  ///
  /// - Requires: All conditions are compiled.
  func linkMaps() {
    var asked: [TermID: Questions] = [:]
    for index in 0..<problem.terms.count {
      if case .apply(.unnamedKey, let arguments) = problem.terms[TermID(index)] {
        asked[arguments[0]] = Questions(isAskedForUnnamed: true)
      }
    }
    if asked.isEmpty { return }
    for index in 0..<problem.terms.count {
      guard case .apply(let op, let arguments) = problem.terms[TermID(index)] else { continue }
      switch op {
      case .has: asked[arguments[0]]?.keys.insert(arguments[1])
      case .field: asked[arguments[0]]?.fields.insert(arguments[1])
      case .odd: asked[arguments[0]]?.isOdd = true
      default: continue
      }
    }
    for map in asked.keys.sorted() {
      guard problem.goesOn(keys.count) else { return }
      guard let questions = asked[map], questions.keys.isSuperset(of: keys) else { continue }
      let computed = questions.keys.subtracting(keys).sorted()
      for key in computed { linkComputed(key, of: map) }
      count(computed, in: map)
      if questions.isOdd { linkOdd(map, asked: questions) }
    }
    linkSame(asked)
  }

  /// Requires that a computed key of a map is one of its named keys or one of its unnamed keys.
  private func linkComputed(_ key: TermID, of map: TermID) {
    var cases = [unnamedKey(in: map)]
    for name in keys {
      let isNamed = problem.same(key, name)
      if isNamed != .no { cases.append(problem.graph.and(isNamed, problem.has(map, key: name))) }
    }
    problem.require(problem.has(map, key: key), implies: problem.graph.or(cases))
  }

  /// Requires that distinct computed keys outside the named ones are counted among the unnamed keys of their
  /// map.
  private func count(_ computed: [TermID], in map: TermID) {
    guard let limit = counted[map], computed.count <= EncodingStrategy.parts else { return }
    let counts = counts(in: map, upTo: limit)
    for size in stride(from: 2, through: min(limit, computed.count), by: 1) {
      for chosen in computed.indices.subsets(of: size) {
        var parts = [problem.isType(of: map, in: .map)]
        for (place, index) in chosen.enumerated() {
          let key = computed[index]
          parts += [problem.isType(of: key, in: .string), problem.has(map, key: key)]
          parts += keys.map { !problem.same(key, $0) }
          parts += chosen[..<place].map { !problem.same(key, computed[$0]) }
        }
        problem.require(problem.graph.and(parts), implies: counts[size])
      }
    }
  }

  /// Requires that a map which differs from itself has a NaN under some key.
  private func linkOdd(_ map: TermID, asked: Questions) {
    var cases = [unnamedKey(in: map)]
    for key in keys {
      var isOdd = problem.has(map, key: key)
      if asked.fields.contains(key) {
        let field = problem.field(of: map, at: key, types: memberTypes(of: map))
        isOdd = problem.graph.and(isOdd, !problem.identical(field, field))
      }
      cases.append(isOdd)
    }
    let odd = problem.holds(.odd, of: [map])
    problem.require(
      problem.graph.and(odd, problem.isType(of: map, in: .map)), implies: problem.graph.or(cases))
  }

  /// Requires that maps with the same keys and values are the same.
  private func linkSame(_ asked: [TermID: Questions]) {
    var constants: Set<TermID> = []
    for case .same(let one, let other)? in problem.graph.atoms {
      for term in [one, other] {
        if case .map = problem.terms.value(of: term) { constants.insert(term) }
      }
      guard let left = asked[one], let right = asked[other],
        left.keys.isSuperset(of: keys), right.keys.isSuperset(of: keys)
      else { continue }
      guard problem.goesOn(keys.count) else { return }
      link(one, asked: left, to: other, others: right)
    }
    if constants.count > EncodingStrategy.parts { return }
    for constant in constants.sorted() {
      guard case .map(let value) = problem.terms.value(of: constant) else { continue }
      for map in asked.keys.sorted() {
        guard problem.goesOn(keys.count) else { return }
        guard let questions = asked[map], questions.keys.isSuperset(of: keys) else { continue }
        state(keysOf: value, constant, for: map)
        link(map, asked: questions, to: value, constant: constant)
      }
    }
  }

  /// Requires that a map equal to a constant has exactly the keys of the constant.
  private func state(keysOf value: MapValue, _ constant: TermID, for map: TermID) {
    var names: [Text] = []
    for key in keys {
      if case .string(let name) = problem.terms.value(of: key) { names.append(name) }
    }
    guard value.keys.allSatisfy({ names.contains($0) }) else { return }
    var parts = [!unnamedKey(in: map)]
    for (key, name) in zip(keys, names) {
      parts.append(value[name] == nil ? !problem.has(map, key: key) : problem.has(map, key: key))
    }
    problem.require(problem.same(map, constant), implies: problem.graph.and(parts))
  }

  private func link(_ map: TermID, asked: Questions, to value: MapValue, constant: TermID) {
    var parts = [problem.isType(of: map, in: .map), !unnamedKey(in: map)]
    var named = 0
    for key in keys {
      let isThere = problem.has(map, key: key)
      guard case .string(let name) = problem.terms.value(of: key), let inner = value[name] else {
        parts.append(!isThere)
        continue
      }
      // A field that no condition reads has no known value.
      guard asked.fields.contains(key) else { return }
      named += 1
      let field = problem.field(of: map, at: key, types: memberTypes(of: map))
      parts += [isThere, problem.same(field, problem.constant(inner))]
    }
    guard named == value.count else { return }
    problem.require(problem.graph.and(parts), implies: problem.same(map, constant))
  }

  private func link(
    _ map: TermID, asked: Questions, to copy: TermID, others: Questions
  ) {
    var parts = [
      problem.isType(of: map, in: .map), problem.isType(of: copy, in: .map),
      !unnamedKey(in: map), !unnamedKey(in: copy),
    ]
    for key in keys {
      let (isHere, isThere) = (problem.has(map, key: key), problem.has(copy, key: key))
      parts.append(problem.graph.iff(isHere, isThere))
      if asked.fields.contains(key), others.fields.contains(key) {
        let fields = [map, copy].map { problem.field(of: $0, at: key, types: memberTypes(of: $0)) }
        parts.append(!problem.graph.and(isHere, !problem.same(fields[0], fields[1])))
      } else {
        parts.append(!isHere)
      }
    }
    problem.require(problem.graph.and(parts), implies: problem.same(map, copy))
  }
}
