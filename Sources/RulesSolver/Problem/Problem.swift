package import RulesEval
package import RulesLang

/// Builder for a satisfiability query about all requests: propositions over terms, and axioms.
package struct Problem {
  /// The propositions.
  package var graph = Graph()
  /// The terms.
  package var terms = TermTable()
  /// The patterns.
  package var patterns = PatternTable()
  /// The axioms: propositions that are true of every request.
  package private(set) var axioms: [Ref] = []
  /// For each node, bit 1 if it is an axiom and bit 2 if its negation is.
  private var known: [UInt8] = []
  /// The budget of the query; nil if unlimited.
  package var budget: Budget?
  /// The work on graph and terms charged so far.
  private var charged = 0
  /// The prefix shared with other copies of one problem, if this is a copy.
  var basis: SharedPrefix?
  /// The pairs of terms that may be `==` without being the same number: 1 and 1.0, or 0.0 and -0.0.
  private(set) var closePairs: Set<Pair> = []

  /// Creates a problem without axioms.
  package init() {}

  /// Two terms. An unordered pair has the older one first.
  package struct Pair: Hashable, Sendable {
    /// The terms.
    package let one, other: TermID

    /// Creates a pair.
    package init(_ one: TermID, _ other: TermID) { (self.one, self.other) = (one, other) }
  }

  /// Charges the nodes and terms made since the last call, and `steps` more. False if the budget is
  /// spent.
  package mutating func goesOn(_ steps: Int = 1) -> Bool {
    guard let budget else { return true }
    // A node with its tables in a search takes about 100 bytes, and a term more.
    let work = graph.work + 100 * graph.count + 150 * terms.count
    budget.charge(work - charged + steps)
    charged = work
    return !budget.isSpent
  }

  /// Adds an axiom: a proposition that is true of every request.
  package mutating func require(_ axiom: Ref) {
    if axiom == .yes { return }
    let (node, bit) = (Int(axiom.node), UInt8(axiom.isNegated ? 2 : 1))
    if known.count <= node {
      known.append(contentsOf: repeatElement(0, count: graph.count - known.count))
    }
    if known[node] & bit != 0 { return }
    known[node] |= bit
    axioms.append(axiom)
  }

  /// Adds the axiom that `left` implies `right`.
  package mutating func require(_ left: Ref, implies right: Ref) {
    require(graph.implies(left, right))
  }

  // MARK: Terms

  /// Returns the term of a constant.
  package mutating func constant(_ value: Value) -> TermID { terms.constant(value) }

  /// Returns the term of a string.
  package mutating func text(_ text: Text) -> TermID { terms.text(text) }

  // MARK: Propositions

  /// Returns "both terms are the same value".
  package mutating func same(_ left: TermID, _ right: TermID) -> Ref {
    if left == right { return .yes }
    let shared = terms.types(of: left).intersection(terms.types(of: right))
    if shared.isEmpty { return .no }
    if terms.isConstant(left), terms.isConstant(right) { return .no }
    // There is one null, so being null is a type.
    if left == terms.null { return isType(of: right, in: .null) }
    if right == terms.null { return isType(of: left, in: .null) }
    for (one, other) in [(left, right), (right, left)]
    where other == terms.no && terms.types(of: one) == .bool {
      return !same(one, terms.yes)
    }
    if let inner = concatenated(left, as: right) ?? concatenated(right, as: left) { return inner }
    return graph.atom(left < right ? .same(left, right) : .same(right, left))
  }

  /// Solves `x + 'tail' = constant` or `'head' + x = constant` for `x`; nil for other terms.
  private mutating func concatenated(_ sum: TermID, as whole: TermID) -> Ref? {
    guard case .apply(.operation(.add), let parts) = terms[sum],
      case .string(let text) = terms.value(of: whole)
    else { return nil }
    if case .string(let tail) = terms.value(of: parts[1]) {
      guard text.bytes.count >= tail.bytes.count,
        text.bytes.suffix(tail.bytes.count) == tail.bytes[...]
      else { return .no }
      return same(
        parts[0], self.text(Text(wellFormed: Array(text.bytes.dropLast(tail.bytes.count)))))
    }
    if case .string(let head) = terms.value(of: parts[0]) {
      guard text.bytes.starts(with: head.bytes) else { return .no }
      return same(
        parts[1], self.text(Text(wellFormed: Array(text.bytes.dropFirst(head.bytes.count)))))
    }
    return nil
  }

  /// Returns "the term has one of these types".
  package mutating func isType(of term: TermID, in types: TypeSet) -> Ref {
    let possible = terms.types(of: term)
    let wanted = possible.intersection(types)
    if wanted.isEmpty { return .no }
    if wanted == possible { return .yes }
    let others = possible.subtracting(wanted)
    // The side with fewer types gives the smaller proposition.
    let isShorter = others.rawValue.nonzeroBitCount < wanted.rawValue.nonzeroBitCount
    return isShorter ? !hasType(term, in: others) : hasType(term, in: wanted)
  }

  private mutating func hasType(_ term: TermID, in types: TypeSet) -> Ref {
    if let only = types.only { return graph.atom(.type(term, only)) }
    return graph.or(types.types.map { graph.atom(.type(term, $0)) })
  }

  /// Returns the proposition of an atom, decided if its term is a constant.
  package mutating func proposition(_ atom: Atom) -> Ref {
    switch atom {
    case .same(let one, let other): return same(one, other)
    case .type(let term, let type): return isType(of: term, in: TypeSet(type))
    case .atMost(let term, let domain, let number): return atMost(term, in: domain, bound: number)
    case .floatAtMost(let term, let bound):
      guard let value = terms.value(of: term) else { return graph.atom(atom) }
      guard case .float(let number) = value else { return .no }
      return (bound.isStrict ? number < bound.value : number <= bound.value) ? .yes : .no
    case .matches(let term, let pattern):
      guard let value = terms.value(of: term) else { return graph.atom(atom) }
      guard case .string(let text) = value else { return .no }
      return patterns.matches(pattern, text: text) ? .yes : .no
    case .difference: return graph.atom(atom)
    }
  }

  /// Returns "the predicate holds of these terms".
  package mutating func holds(_ op: Operator, of arguments: [TermID]) -> Ref {
    same(terms.apply(op, to: arguments, types: .bool), terms.yes)
  }

  /// Returns the proposition of a free bool.
  package mutating func flag(_ flag: RequestFlag) -> Ref {
    same(terms.variable(.flag(flag), types: .bool), terms.yes)
  }

  /// Returns "the map has the key".
  package mutating func has(_ map: TermID, key: TermID) -> Ref {
    if case .map(let value) = terms.value(of: map) {
      if case .string(let name) = terms.value(of: key) { return value.contains(name) ? .yes : .no }
      if value.count <= SearchStrategy.constantParts {
        return graph.or(value.keys.map { same(key, text($0)) })
      }
    }
    return holds(.has, of: [map, key])
  }

  /// Returns the term of the value of a map's key.
  package mutating func field(of map: TermID, at key: TermID, types: TypeSet) -> TermID {
    if case .map(let value) = terms.value(of: map), case .string(let name) = terms.value(of: key),
      let found = value[name]
    {
      return constant(found)
    }
    let field = terms.apply(.field, to: [map, key], types: types)
    if case .map(let value) = terms.value(of: map), value.count <= SearchStrategy.constantParts {
      for (name, found) in value {
        require(same(key, text(name)), implies: same(field, constant(found)))
      }
    }
    return field
  }

  // MARK: Equalities

  /// The types of values that may be unequal to themselves, as NaN is.
  private static let oddTypes: TypeSet = [.float, .list, .map, .constraint]
  private static let numbers: TypeSet = [.int, .float]

  /// Returns `left == right` of the language.
  package mutating func equal(_ left: TermID, _ right: TermID) -> Ref {
    if let one = terms.value(of: left), let other = terms.value(of: right) {
      return Value.areEqual(one, other) ? .yes : .no
    }
    let same = same(left, right)
    return graph.or(graph.and(same, !isOdd(left, beside: right)), areClose(left, right))
  }

  /// Returns the equality of elements of `==`-compared collections: same type, value and sign of
  /// zero.
  package mutating func identical(_ left: TermID, _ right: TermID) -> Ref {
    graph.and(same(left, right), !isOdd(left, beside: right))
  }

  /// Returns the equality of `x in list`: same type, and `==`.
  package mutating func areMembers(_ left: TermID, _ right: TermID) -> Ref {
    if let one = terms.value(of: left), let other = terms.value(of: right) {
      return Value.areMembers(one, other) ? .yes : .no
    }
    let zeros = graph.and(
      areClose(left, right), isType(of: left, in: .float), isType(of: right, in: .float))
    // A value that a query's filters leave open is never an element.
    return graph.or(graph.and(identical(left, right), !isType(of: left, in: .constraint)), zeros)
  }

  /// Returns the equality of sets and of `diff()`.
  package mutating func setEqual(_ left: TermID, _ right: TermID) -> Ref {
    if left == right { return .yes }
    // A part has less depth than the whole.
    if terms.isPart(left, of: right) || terms.isPart(right, of: left) { return .no }
    let near = Self.nearTypes
    let (one, other) = (terms.types(of: left), terms.types(of: right))
    guard !one.isDisjoint(with: near), !other.isDisjoint(with: near) else {
      return same(left, right)
    }
    if let first = terms.value(of: left), let second = terms.value(of: right) {
      return (try? Value.areSetEqual(first, second)) == true ? .yes : .no
    }
    // A constant without numbers is nearly equal to no other value.
    for term in [left, right] {
      if let value = terms.value(of: term), !value.hasNearNumbers { return same(left, right) }
    }
    // Made first, so the search prefers "same" to "nearly equal".
    let same = same(left, right)
    let nearly = holds(.nearly, of: [min(left, right), max(left, right)])
    require(nearly, implies: !same)
    let numeric = graph.and(isType(of: left, in: Self.numbers), isType(of: right, in: Self.numbers))
    // A vector equals the list of its numbers.
    let sequences: TypeSet = [.list, .vector]
    let lists = graph.and(isType(of: left, in: sequences), isType(of: right, in: sequences))
    let maps = graph.and(isType(of: left, in: .map), isType(of: right, in: .map))
    require(nearly, implies: graph.or(graph.and(numeric, areClose(left, right)), lists, maps))
    // `==` compares as doubles, so an int equals each float that it is rounded to.
    let areExact = graph.and(!canBeRounded(left), !canBeRounded(right))
    require(graph.and(areClose(left, right), areExact), implies: nearly)
    return graph.or(same, nearly)
  }

  /// Returns "the term is unequal to itself".
  ///
  /// - Requires: Both terms are the same value.
  private mutating func isOdd(_ term: TermID, beside other: TermID) -> Ref {
    let types = terms.types(of: term).intersection(terms.types(of: other))
    guard !types.isDisjoint(with: Self.oddTypes) else { return .no }
    for candidate in [term, other] {
      if let value = terms.value(of: candidate) {
        return Value.areEqual(value, value) ? .no : .yes
      }
    }
    let odd = holds(.odd, of: [term])
    require(odd, implies: isType(of: term, in: Self.oddTypes))
    return odd
  }

  /// Adds axioms about values unequal to themselves: a float within a bound is not NaN, a member of
  /// a list is not odd, and a map with an odd field is odd.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkOddValues() {
    var odd: [TermID: TermID] = [:]
    guard goesOn(terms.count + graph.count) else { return }
    for index in 0..<terms.count {
      if case .apply(.odd, let arguments) = terms[TermID(index)] {
        odd[arguments[0]] = TermID(index)
      }
    }
    for atom in graph.atoms.compactMap({ $0 }) {
      if case .floatAtMost(let term, _) = atom, let predicate = odd[term] {
        require(graph.atom(atom), implies: !same(predicate, terms.yes))
      }
    }
    for index in 0..<terms.count {
      // A member is equal to an element.
      if case .apply(.member, let place) = terms[TermID(index)], let predicate = odd[place[1]] {
        require(same(TermID(index), terms.yes), implies: !same(predicate, terms.yes))
      }
    }
    linkOddFields()
  }

  private mutating func linkOddFields() {
    func odd(_ index: Int) -> TermID? {
      guard case .apply(.odd, let arguments) = terms[TermID(index)] else { return nil }
      return arguments[0]
    }
    func isField(_ term: TermID) -> Bool {
      guard case .apply(.field, _) = terms[term] else { return false }
      return true
    }
    // Oddness of fields alone implies nothing, and most conditions compare only fields.
    guard (0..<terms.count).contains(where: { odd($0).map { !isField($0) } ?? false }) else {
      return
    }
    var index = 0
    while index < terms.count, goesOn() {
      if let field = odd(index), case .apply(.field, let place) = terms[field] {
        let isInside = graph.and(holds(.odd, of: [field]), has(place[0], key: place[1]))
        require(isInside, implies: isOdd(place[0], beside: place[0]))
      }
      index += 1
    }
  }

  /// Returns "the term is NaN".
  package mutating func isNaN(_ term: TermID) -> Ref {
    graph.and(isType(of: term, in: .float), isOdd(term, beside: term))
  }

  /// Returns "both numbers are `==` but not the same value".
  package mutating func areClose(_ left: TermID, _ right: TermID) -> Ref {
    let (one, other) = (terms.types(of: left), terms.types(of: right))
    guard !one.isDisjoint(with: Self.numbers), !other.isDisjoint(with: Self.numbers),
      one.contains(.float) || other.contains(.float)
    else { return .no }
    if let first = terms.value(of: left), let second = terms.value(of: right) {
      return ConstantKey(of: first) != ConstantKey(of: second) && Value.areEqual(first, second)
        ? .yes : .no
    }
    for (constant, term) in [(left, right), (right, left)] {
      if let value = terms.value(of: constant), let neighbours = value.neighbours {
        return graph.or(neighbours.map { same(term, self.constant($0)) })
      }
    }
    let close = holds(.close, of: [min(left, right), max(left, right)])
    if close != .no { closePairs.insert(Pair(min(left, right), max(left, right))) }
    require(close, implies: !same(left, right))
    for term in [left, right] { require(close, implies: !isOdd(term, beside: term)) }
    require(
      close,
      implies: graph.and(isType(of: left, in: Self.numbers), isType(of: right, in: Self.numbers)))
    require(close, implies: graph.or(isType(of: left, in: .float), isType(of: right, in: .float)))
    // Two equal floats that are not the same are 0.0 and -0.0.
    let (plus, minus) = (constant(.float(0)), constant(.float(-0.0)))
    let areFloats = graph.and(close, isType(of: left, in: .float), isType(of: right, in: .float))
    if areFloats != .no {
      let zeros = graph.or(
        graph.and(same(left, plus), same(right, minus)),
        graph.and(same(left, minus), same(right, plus)))
      require(areFloats, implies: zeros)
    }
    return close
  }
}
