package import RulesEval
package import RulesLang

/// A question about all requests while it is being put together: propositions over terms.
package struct Problem {
  /// The propositions.
  package var graph = Graph()
  /// The terms.
  package var terms = TermTable()
  /// The patterns.
  package var patterns = PatternTable()
  /// What is true of every request, and rules out what no request can be.
  package private(set) var axioms: [Ref] = []
  /// By node, which of it and its negation is an axiom: bits 1 and 2.
  private var known: [UInt8] = []
  /// What the question may cost; nil for no limit.
  package var budget: Budget?
  /// The work on propositions and terms that the budget has counted.
  private var charged = 0
  /// What it has in common with other copies of one problem, if it is a copy.
  var basis: Basis?
  /// The pairs of terms that may be equal numbers of different types.
  private(set) var closePairs: Set<Pair> = []

  /// Makes one that states nothing.
  package init() {}

  /// Two terms, the older one first.
  package struct Pair: Hashable, Sendable {
    /// The terms.
    package let one, other: TermID

    /// Makes a pair of its parts, of which `one` is the older.
    package init(_ one: TermID, _ other: TermID) { (self.one, self.other) = (one, other) }
  }

  /// Counts what was made of propositions and terms since this was asked last, and `steps` more. False
  /// if nothing more may be made.
  package mutating func goesOn(_ steps: Int = 1) -> Bool {
    guard let budget else { return true }
    // A node with its place in a search takes some hundred bytes, and a term more.
    let work = graph.work + 100 * graph.count + 150 * terms.count
    budget.charge(work - charged + steps)
    charged = work
    return !budget.isSpent
  }

  /// Adds something that is true of every request.
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

  /// Adds: if the left holds, so does the right.
  package mutating func require(_ left: Ref, implies right: Ref) {
    require(graph.implies(left, right))
  }

  // MARK: Terms

  /// The term of a constant.
  package mutating func constant(_ value: Value) -> TermID { terms.constant(value) }

  /// The term of a text.
  package mutating func text(_ text: Text) -> TermID { terms.text(text) }

  // MARK: Propositions

  /// Two terms are the same value.
  package mutating func same(_ left: TermID, _ right: TermID) -> Ref {
    if left == right { return .yes }
    let shared = terms.types(of: left).intersection(terms.types(of: right))
    if shared.isEmpty { return .no }
    if terms.isConstant(left), terms.isConstant(right) { return .no }
    // There is one null, so being null is a matter of type.
    if left == terms.null { return isType(of: right, in: .null) }
    if right == terms.null { return isType(of: left, in: .null) }
    for (one, other) in [(left, right), (right, left)]
    where other == terms.no && terms.types(of: one) == .bool {
      return !same(one, terms.yes)
    }
    if let inner = concatenated(left, as: right) ?? concatenated(right, as: left) { return inner }
    return graph.atom(left < right ? .same(left, right) : .same(right, left))
  }

  /// `x + 'tail'` or `'head' + x` is the same as a constant text: then `x` is the rest of it.
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

  /// A term has one of some types.
  package mutating func isType(of term: TermID, in types: TypeSet) -> Ref {
    let possible = terms.types(of: term)
    let wanted = possible.intersection(types)
    if wanted.isEmpty { return .no }
    if wanted == possible { return .yes }
    let others = possible.subtracting(wanted)
    // Whichever side has fewer types makes the smaller proposition.
    let isShorter = others.rawValue.nonzeroBitCount < wanted.rawValue.nonzeroBitCount
    return isShorter ? !hasType(term, in: others) : hasType(term, in: wanted)
  }

  private mutating func hasType(_ term: TermID, in types: TypeSet) -> Ref {
    if let only = types.only { return graph.atom(.type(term, only)) }
    return graph.or(types.types.map { graph.atom(.type(term, $0)) })
  }

  /// The proposition of an atom, decided if it is about a constant.
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

  /// A predicate holds of terms.
  package mutating func holds(_ op: Operator, of arguments: [TermID]) -> Ref {
    same(terms.apply(op, to: arguments, types: .bool), terms.yes)
  }

  /// A free yes or no.
  package mutating func flag(_ flag: RequestFlag) -> Ref {
    same(terms.variable(.flag(flag), types: .bool), terms.yes)
  }

  /// Of greater maps that are written out an unknown key is not compared with each.
  private static let greatestKnownMap = 32

  /// A map has a key.
  package mutating func has(_ map: TermID, key: TermID) -> Ref {
    if case .map(let value) = terms.value(of: map) {
      if case .string(let name) = terms.value(of: key) { return value.contains(name) ? .yes : .no }
      if value.count <= Self.greatestKnownMap {
        return graph.or(value.keys.map { same(key, text($0)) })
      }
    }
    return holds(.has, of: [map, key])
  }

  /// The value of a key in a map.
  package mutating func field(of map: TermID, at key: TermID, types: TypeSet) -> TermID {
    if case .map(let value) = terms.value(of: map), case .string(let name) = terms.value(of: key),
      let found = value[name]
    {
      return constant(found)
    }
    let field = terms.apply(.field, to: [map, key], types: types)
    if case .map(let value) = terms.value(of: map), value.count <= Self.greatestKnownMap {
      for (name, found) in value {
        require(same(key, text(name)), implies: same(field, constant(found)))
      }
    }
    return field
  }

  // MARK: Equalities

  /// Types of values that may differ from themselves, as NaN does.
  private static let oddTypes: TypeSet = [.float, .list, .map, .constraint]
  private static let numbers: TypeSet = [.int, .float]

  /// `left == right` of the language.
  package mutating func equal(_ left: TermID, _ right: TermID) -> Ref {
    if let one = terms.value(of: left), let other = terms.value(of: right) {
      return Value.areEqual(one, other) ? .yes : .no
    }
    let same = same(left, right)
    return graph.or(graph.and(same, !isOdd(left, beside: right)), areClose(left, right))
  }

  /// Two elements of collections that are compared by `==`: the same type, value and sign of zero.
  package mutating func identical(_ left: TermID, _ right: TermID) -> Ref {
    graph.and(same(left, right), !isOdd(left, beside: right))
  }

  /// The equality of `x in list`: the same type and `==`.
  package mutating func areMembers(_ left: TermID, _ right: TermID) -> Ref {
    if let one = terms.value(of: left), let other = terms.value(of: right) {
      return Value.areMembers(one, other) ? .yes : .no
    }
    let zeros = graph.and(
      areClose(left, right), isType(of: left, in: .float), isType(of: right, in: .float))
    // What filters leave open is no element of anything.
    return graph.or(graph.and(identical(left, right), !isType(of: left, in: .constraint)), zeros)
  }

  /// The equality of sets and `diff()`.
  package mutating func setEqual(_ left: TermID, _ right: TermID) -> Ref {
    if left == right { return .yes }
    // What is inside something is less deep.
    if terms.isPart(left, of: right) || terms.isPart(right, of: left) { return .no }
    let near = Self.nearTypes
    let (one, other) = (terms.types(of: left), terms.types(of: right))
    guard !one.isDisjoint(with: near), !other.isDisjoint(with: near) else {
      return same(left, right)
    }
    if let first = terms.value(of: left), let second = terms.value(of: right) {
      return (try? Value.areSetEqual(first, second)) == true ? .yes : .no
    }
    // A constant without numbers is like no other value.
    for term in [left, right] {
      if let value = terms.value(of: term), !value.hasNearNumbers { return same(left, right) }
    }
    // The search tries what was made first; being the same is plainer than being nearly so.
    let same = same(left, right)
    let nearly = holds(.nearly, of: [min(left, right), max(left, right)])
    require(nearly, implies: !same)
    let numeric = graph.and(isType(of: left, in: Self.numbers), isType(of: right, in: Self.numbers))
    // A vector is the list of its numbers.
    let sequences: TypeSet = [.list, .vector]
    let lists = graph.and(isType(of: left, in: sequences), isType(of: right, in: sequences))
    let maps = graph.and(isType(of: left, in: .map), isType(of: right, in: .map))
    require(nearly, implies: graph.or(graph.and(numeric, areClose(left, right)), lists, maps))
    // `==` compares as doubles: it takes an int for a float that it is only rounded to.
    let areExact = graph.and(!canBeRounded(left), !canBeRounded(right))
    require(graph.and(areClose(left, right), areExact), implies: nearly)
    return graph.or(same, nearly)
  }

  /// A term differs from itself, given that it is the same as another.
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

  /// States what follows for values that differ from themselves: a float within a bound is no NaN, a
  /// member of a list is not odd, and a map with a NaN in a field is. To be called once all
  /// conditions are compiled.
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
    // Of fields alone nothing follows, and most conditions compare only fields.
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

  /// A float is NaN.
  package mutating func isNaN(_ term: TermID) -> Ref {
    graph.and(isType(of: term, in: .float), isOdd(term, beside: term))
  }

  /// Two numbers are `==` without being the same value.
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
    // Two floats that are equal and not the same are the two zeros.
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
