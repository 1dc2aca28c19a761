import RulesEval
import RulesLang

// Axioms about `nearly`: lists and maps that are equal for `diff()` without being the same.
// Somewhere inside, one side has an int where the other has an equal float, or a list where the
// other has the vector of its numbers. So sizes and keys agree, and corresponding parts are the
// same or nearly so. A list that is nearly a vector contains numbers only; the parts of a vector
// cannot be accessed.

extension Problem {
  /// The types of values that may be nearly equal to another value.
  static let nearTypes: TypeSet = [.int, .float, .list, .map, .set, .vector]

  /// Adds the axioms for all pairs that may be nearly equal.
  ///
  /// - Parameter keys: The keys that rules name.
  /// - Requires: All conditions are compiled, and other axioms about lists are not yet added.
  package mutating func linkNearValues(_ keys: [TermID]) {
    var pairs: [Pair] = []
    for index in 0..<terms.count { note(TermID(index), in: &pairs) }
    if pairs.isEmpty { return }
    linkInside(pairs)
    linkConstants(pairs)
    var parts: [TermID: Parts] = [:]
    var (next, known, noted) = (0, 0, terms.count)
    // Parts of nearly equal values are nearly equal in turn; terms are not deep, so this
    // terminates.
    while next < pairs.count {
      if next == known {
        // The parts of all new pairs are collected together.
        guard goesOn(10 * (terms.count + graph.count)) else { return }
        parts = self.parts(of: pairs)
        known = pairs.count
      }
      let pair = pairs[next]
      next += 1
      let (left, right) = (parts[pair.one] ?? Parts(), parts[pair.other] ?? Parts())
      if left.isEmpty && right.isEmpty { continue }
      guard goesOn() else { return }
      linkLists(pair.one, parts: left, and: pair.other, parts: right)
      linkVector(of: pair, list: pair.one, parts: left, vector: pair.other)
      linkVector(of: pair, list: pair.other, parts: right, vector: pair.one)
      linkMaps(pair.one, parts: left, and: pair.other, parts: right, names: keys)
      for index in noted..<terms.count { note(TermID(index), in: &pairs) }
      noted = terms.count
    }
  }

  private func note(_ term: TermID, in pairs: inout [Pair]) {
    guard case .apply(.nearly, let pair) = terms[term],
      pair.allSatisfy({ !terms.types(of: $0).isDisjoint(with: [.list, .map]) })
    else { return }
    pairs.append(Pair(pair[0], pair[1]))
  }

  /// Returns the accessed parts of the terms of some pairs, and of terms that may equal them.
  private func parts(of pairs: [Pair]) -> [TermID: Parts] {
    var parts: [TermID: Parts] = [:]
    for pair in pairs { (parts[pair.one], parts[pair.other]) = (Parts(), Parts()) }
    var copies: [TermID: [TermID]] = [:]
    for case .same(let one, let other)? in graph.atoms {
      if parts[one] != nil { copies[other, default: []].append(one) }
      if parts[other] != nil { copies[one, default: []].append(other) }
    }
    for index in 0..<terms.count {
      guard case .apply(let op, let arguments) = terms[TermID(index)] else { continue }
      parts[arguments[0]]?.note(op, of: arguments, in: terms)
      for copy in copies[arguments[0]] ?? [] { parts[copy]?.note(op, of: arguments, in: terms) }
    }
    return parts
  }

  // MARK: Values inside themselves

  /// Adds: nearly equal values have equal depth, so no part of one is the other.
  private mutating func linkInside(_ pairs: [Pair]) {
    var copies: [TermID: [TermID]] = [:]
    for pair in pairs {
      copies[pair.one, default: []].append(pair.other)
      copies[pair.other, default: []].append(pair.one)
    }
    var compared: Set<TermID> = []
    for case .same(let one, let other)? in graph.atoms
    where terms.value(of: one) == nil && terms.value(of: other) == nil {
      compared.formUnion([one, other])
    }
    for pair in pairs { compared.formUnion([pair.one, pair.other]) }
    let known = Set(pairs)
    for content in compared.sorted() {
      guard goesOn() else { return }
      var whole = content
      while case .apply(let op, let arguments) = terms[whole], op == .field || op == .element {
        whole = arguments[0]
        for copy in copies[whole] ?? [] where content != copy {
          let nearly = holds(.nearly, of: [min(whole, copy), max(whole, copy)])
          require(nearly, implies: !same(content, copy))
          if known.contains(Pair(min(content, copy), max(content, copy))) {
            require(
              nearly, implies: !holds(.nearly, of: [min(content, copy), max(content, copy)]))
          }
        }
      }
    }
  }

  /// Adds: a list or map without numbers, lists of numbers or vectors inside is nearly equal to
  /// nothing else.
  private mutating func linkConstants(_ pairs: [Pair]) {
    for case .same(let one, let other)? in graph.atoms {
      for (term, constant) in [(one, other), (other, one)] {
        guard let value = terms.value(of: constant), value.type == .list || value.type == .map,
          !value.hasNearNumbers
        else { continue }
        guard goesOn(pairs.count) else { return }
        for pair in pairs where pair.one == term || pair.other == term {
          require(holds(.nearly, of: [pair.one, pair.other]), implies: !same(term, constant))
        }
      }
    }
  }

  // MARK: Lists

  private mutating func linkLists(
    _ one: TermID, parts left: Parts, and other: TermID, parts right: Parts
  ) {
    let areNear = graph.and(
      holds(.nearly, of: [one, other]), isType(of: one, in: .list), isType(of: other, in: .list))
    // Values nearly equal to a constant are computed.
    if areNear == .no || terms.value(of: one) != nil || terms.value(of: other) != nil { return }
    let places = left.places.union(right.places)
    if !places.isEmpty || (left.isSized && right.isSized) {
      let sizes = [one, other].map { terms.apply(.size, to: [$0], types: .int) }
      require(areNear, implies: same(sizes[0], sizes[1]))
    }
    linkElements(of: one, and: other, at: places, areNear: areNear)
    if !left.isEmpty && !right.isEmpty {
      for (from, to, members) in [(one, other, left.members), (other, one, right.members)] {
        for member in members.sorted() { link(member, from: from, to: to, areNear: areNear) }
      }
    }
    linkAllowed(of: one, parts: left, and: other, parts: right, areNear: areNear)
  }

  /// Adds: elements at one index are the same or nearly equal, and some are not the same.
  private mutating func linkElements(
    of one: TermID, and other: TermID, at places: Set<TermID>, areNear: Ref
  ) {
    var numbers: [Int64] = []
    for place in places {
      if case .int(let number) = terms.value(of: place), number >= 0 { numbers.append(number) }
    }
    numbers.sort()
    var differences: [Ref] = []
    for number in numbers {
      let index = constant(.int(number))
      let elements = [one, other].map { list in
        terms.apply(.element, to: [list, index], types: terms.partTypes(of: list))
      }
      let isThere = reaches(one, place: number, asked: nil)
      let areAlike = setEqual(elements[0], elements[1])
      require(graph.and(areNear, isThere), implies: areAlike)
      differences.append(graph.and(isThere, areAlike, !same(elements[0], elements[1])))
    }
    guard !numbers.isEmpty, numbers == Array(0..<Int64(numbers.count)) else { return }
    let size = terms.apply(.size, to: [one], types: .int)
    let isShort = atMost(size, in: .int, bound: Int128(numbers.count))
    require(graph.and(areNear, isShort), implies: graph.or(differences))
  }

  /// Adds: a member of one list is in the other, equals a number in it, or has parts itself.
  private mutating func link(
    _ member: TermID, from: TermID, to: TermID, areNear: Ref
  ) {
    var found = [holds(.member, of: [to, member])]
    if let value = terms.value(of: member) {
      switch value {
      case .list, .map, .set, .vector: return
      default: break
      }
      for mate in value.nearNumbers { found.append(holds(.member, of: [to, constant(mate)])) }
    } else {
      found.append(isType(of: member, in: Self.nearTypes))
    }
    require(
      graph.and(areNear, holds(.member, of: [from, member])), implies: graph.or(found))
  }

  /// Adds: a list that `hasOnly` some values is nearly another list only if one of these has a
  /// nearly equal value.
  private mutating func linkAllowed(
    of one: TermID, parts left: Parts, and other: TermID, parts right: Parts, areNear: Ref
  ) {
    for (list, parts) in [(one, left), (other, right)] {
      for (term, values) in parts.allowed
      where !values.contains(where: { Self.nearTypes.contains($0.type) }) {
        require(areNear, implies: !holds(.onlyElements, of: [list, term]))
      }
    }
    for (term, values) in left.allowed {
      for (next, others) in right.allowed {
        let canDiffer = values.contains { value in
          others.contains { other in
            // The zero of the opposite sign is nearly equal, too.
            let isOne = ConstantKey(of: value) == ConstantKey(of: other) && !value.isZero
            return !isOne && (try? Value.areSetEqual(value, other)) == true
          }
        }
        if canDiffer { continue }
        let both = graph.and(
          holds(.onlyElements, of: [one, term]), holds(.onlyElements, of: [other, next]))
        require(areNear, implies: !both)
      }
    }
  }

  /// Adds: a list that is nearly a vector has at least one element, and all of them are numbers.
  private mutating func linkVector(of pair: Pair, list: TermID, parts: Parts, vector: TermID) {
    let areNear = graph.and(
      holds(.nearly, of: [pair.one, pair.other]), isType(of: list, in: .list),
      isType(of: vector, in: .vector))
    if areNear == .no || parts.isEmpty || terms.value(of: list) != nil { return }
    let numbers: TypeSet = [.int, .float]
    if parts.isSized {
      require(
        areNear, implies: !atMost(terms.apply(.size, to: [list], types: .int), in: .int, bound: 0))
    }
    for place in parts.places.sorted() {
      guard case .int(let number) = terms.value(of: place), number >= 0 else { continue }
      let element = terms.apply(.element, to: [list, place], types: terms.partTypes(of: list))
      let isThere = reaches(list, place: number, asked: nil)
      require(graph.and(areNear, isThere), implies: isType(of: element, in: numbers))
    }
    for member in parts.members.sorted() {
      let isMember = holds(.member, of: [list, member])
      require(graph.and(areNear, isMember), implies: isType(of: member, in: numbers))
    }
    for (term, values) in parts.allowed
    where !values.contains(where: { numbers.contains($0.type) }) {
      require(areNear, implies: !holds(.onlyElements, of: [list, term]))
    }
  }

  // MARK: Maps

  private mutating func linkMaps(
    _ one: TermID, parts left: Parts, and other: TermID, parts right: Parts, names: [TermID]
  ) {
    let areNear = graph.and(
      holds(.nearly, of: [one, other]), isType(of: one, in: .map), isType(of: other, in: .map))
    if areNear == .no || terms.value(of: one) != nil || terms.value(of: other) != nil { return }
    let areBothAsked = !left.isEmpty && !right.isEmpty
    let keys = areBothAsked ? left.keys.union(right.keys).sorted() : []
    for key in keys {
      let (isLeft, isRight) = (has(one, key: key), has(other, key: key))
      require(areNear, implies: graph.iff(isLeft, isRight))
      guard left.fields.contains(key) || right.fields.contains(key) else { continue }
      let fields = [one, other].map { field(of: $0, at: key, types: terms.partTypes(of: $0)) }
      require(
        graph.and(areNear, isLeft, isRight), implies: setEqual(fields[0], fields[1]))
    }
    if left.isAskedForUnnamed, right.isAskedForUnnamed {
      require(
        areNear, implies: graph.iff(holds(.unnamedKey, of: [one]), holds(.unnamedKey, of: [other])))
      for count in left.counts.intersection(right.counts).sorted() {
        let few = [one, other].map { holds(.unnamedFew(count), of: [$0]) }
        require(areNear, implies: graph.iff(few[0], few[1]))
      }
    }
    for (map, copy, parts) in [(one, other, left), (other, one, right)]
    where parts.isAskedForUnnamed && parts.keys.isSuperset(of: names) {
      linkDifference(of: map, parts: parts, from: areBothAsked ? copy : nil, areNear: areNear)
    }
  }

  /// Adds: some key of the map has a value that is not the same in the copy.
  private mutating func linkDifference(
    of map: TermID, parts: Parts, from copy: TermID?, areNear: Ref
  ) {
    var differences = [holds(.unnamedKey, of: [map])]
    for key in parts.keys.sorted() {
      var canDiffer = has(map, key: key)
      if parts.fields.contains(key) {
        let inner = field(of: map, at: key, types: terms.partTypes(of: map))
        canDiffer = graph.and(canDiffer, isType(of: inner, in: Self.nearTypes))
        if let copy {
          let mate = field(of: copy, at: key, types: terms.partTypes(of: copy))
          canDiffer = graph.and(canDiffer, !same(inner, mate))
        }
      }
      differences.append(canDiffer)
    }
    require(areNear, implies: graph.or(differences))
  }
}

/// The accessed parts of one list or map.
private struct Parts {
  var places: Set<TermID> = []
  var members: Set<TermID> = []
  var keys: Set<TermID> = []
  var fields: Set<TermID> = []
  var allowed: [(term: TermID, values: [Value])] = []
  var isSized = false
  var isAskedForUnnamed = false
  var counts: Set<Int> = []

  var isEmpty: Bool {
    places.isEmpty && members.isEmpty && keys.isEmpty && allowed.isEmpty && !isSized
      && !isAskedForUnnamed
  }

  mutating func note(_ op: Operator, of arguments: [TermID], in terms: TermTable) {
    switch op {
    case .element: places.insert(arguments[1])
    case .member: members.insert(arguments[1])
    case .has: keys.insert(arguments[1])
    case .field: fields.insert(arguments[1])
    case .size: isSized = true
    case .unnamedKey: isAskedForUnnamed = true
    case .unnamedFew(let code) where arguments.count == 1: counts.insert(code)
    case .onlyElements:
      if case .list(let values) = terms.value(of: arguments[1]) {
        if !allowed.contains(where: { $0.term == arguments[1] }) {
          allowed.append((arguments[1], values))
        }
      }
    default: break
    }
  }
}

extension Value {
  /// The other values equal to this number for `diff()`; empty for other values.
  fileprivate var nearNumbers: [Value] {
    switch self {
    case .int(0): return [.float(0), .float(-0.0)]
    case .int(let number):
      return Int64(exactly: Double(number)) == number ? [.float(Double(number))] : []
    case .float(let number):
      let zero: [Value] = number == 0 ? [.float(-number)] : []
      return zero + (Int64(exactly: number).map { [.int($0)] } ?? [])
    default: return []
    }
  }

  /// True if a different value is equal for `diff()`: the value contains a number with an equal one
  /// of another type, a non-empty list of numbers, a set or a vector.
  package var hasNearNumbers: Bool {
    switch self {
    case .list(let elements):
      elements.contains { $0.hasNearNumbers }
        || !elements.isEmpty && elements.allSatisfy { $0.type == .int || $0.type == .float }
    case .map(let map): map.values.contains { $0.hasNearNumbers }
    case .set, .vector: true
    default: !nearNumbers.isEmpty
    }
  }

  /// True for 0.0 and -0.0.
  fileprivate var isZero: Bool {
    if case .float(let number) = self { return number == 0 }
    return false
  }
}
