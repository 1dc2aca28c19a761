import RulesEval
import RulesLang
import RulesVerify

// Order of numbers, times and floats, and string constraints.

extension Elaboration {
  /// True if rules were found that refute the facts about numbers, times, floats or strings.
  mutating func isOutOfOrder() -> Bool {
    var sizes = Differences(.int, of: [])
    for scale in [Scale.int, .timestamp, .duration] {
      var differences = differences(in: scale)
      if let place = differences.close() {
        explain(differences, at: place)
        return true
      }
      for node in differences.nodes.compactMap({ $0 }) where isExhausted(node, by: differences) {
        return true
      }
      if scale == .int { sizes = differences }
    }
    for term in classes where hasNoFloat(term) || hasNoText(term, sizes: sizes) { return true }
    return false
  }

  // MARK: Differences

  private mutating func differences(in scale: Scale) -> Differences {
    let nodes = classes.filter { types($0) == TypeSet(scale.type) }
    var found = Differences(scale, of: nodes)
    for fact in facts {
      switch fact.atom {
      case .most(let term, scale, let bound):
        moveToLeaders(fact.atom)
        if fact.holds { found.note(from: nil, to: leader(term), length: bound) }
        if !fact.holds { found.note(from: leader(term), to: nil, length: -bound - 1) }
      case .difference(let one, let other, scale, let bound):
        moveToLeaders(fact.atom)
        if fact.holds { found.note(from: leader(other), to: leader(one), length: bound) }
        if !fact.holds { found.note(from: leader(one), to: leader(other), length: -bound - 1) }
      case .same, .type, .most, .difference, .float, .matches: break
      }
    }
    for term in terms {
      if leader(term) == term, let value = constant(term)?.count(in: scale) {
        found.note(from: nil, to: term, length: value)
        found.note(from: term, to: nil, length: -value)
      }
      guard case .apply(let op, let arguments) = question[term] else { continue }
      if op == .size, scale == .int {
        use(.size(term))
        moveToLeaders(.most(term, .int, -1))
        moveToLeaders(.most(term, .int, ValueRule.greatestSize))
        found.note(from: leader(term), to: nil, length: 0)
        found.note(from: nil, to: leader(term), length: ValueRule.greatestSize)
      }
      if case .plus(scale, let steps) = op { add(term, as: arguments[0], plus: steps, to: &found) }
    }
    return found
  }

  private mutating func add(
    _ sum: Term, as base: Term, plus steps: Int64, to found: inout Differences
  ) {
    let scale = found.scale
    for term in [sum, base] where term != leader(term) {
      use(.move(.type(term, scale.type), term, leader(term)))
    }
    use(.plus(sum))
    for (one, other, bound) in [(sum, base, Int128(steps)), (base, sum, -Int128(steps))] {
      let atom: Fact =
        one < other
        ? .difference(one, other, scale, bound) : .difference(other, one, scale, -bound - 1)
      moveToLeaders(atom)
      found.note(from: leader(other), to: leader(one), length: bound)
    }
  }

  private mutating func moveToLeaders(_ atom: Fact) {
    var atom = atom
    for term in atom.terms where term != leader(term) {
      use(.move(atom, term, leader(term)))
      atom = atom.replacing(term, by: leader(term))
    }
    if case .difference = atom { use(.flip(atom)) }
  }

  /// Uses the rules that derive a bound from the facts.
  private mutating func explain(_ differences: Differences, at place: Int) {
    let bound = differences.bounds[place]
    guard let parts = bound.parts else { return }
    explain(differences, at: parts.first)
    explain(differences, at: parts.second)
    let (first, second) = (differences.bounds[parts.first], differences.bounds[parts.second])
    use(
      .sum(
        differences.scale, differences.nodes[bound.end], differences.nodes[first.end],
        differences.nodes[bound.start], second.length, first.length))
  }

  /// True if a term has few possible values and differs from all of them.
  private mutating func isExhausted(_ term: Term, by differences: Differences) -> Bool {
    guard let range = differences.range(of: term), range.upper - range.lower < 64 else {
      return false
    }
    let taken = others(than: term).compactMap { constant($0)?.count(in: differences.scale) }
    var values: [Int128] = []
    var value = range.upper
    while value >= range.lower {
      if !taken.contains(value) { return false }
      values.append(value)
      value -= 1
    }
    explain(differences, at: range.places.lower)
    explain(differences, at: range.places.upper)
    for value in values { use(.point(term, differences.scale, value)) }
    return true
  }

  // MARK: Floats and texts

  private mutating func hasNoFloat(_ term: Term) -> Bool {
    guard types(term) == .float else { return false }
    var within: [RulesVerify.FloatBound] = []
    var beyond: [RulesVerify.FloatBound] = []
    for fact in facts {
      guard case .float(let other, let bound) = fact.atom, leader(other) == term
      else { continue }
      moveToLeaders(fact.atom)
      if fact.holds { within.append(bound) } else { beyond.append(bound) }
    }
    if case .float(let value) = constant(term) {
      func isWithin(_ bound: RulesVerify.FloatBound) -> Bool {
        bound.isStrict ? value < bound.value : value <= bound.value
      }
      return !within.allSatisfy { isWithin($0) } || beyond.contains { isWithin($0) }
    }
    // A float within a bound is not NaN, so it exceeds every bound that does not hold.
    for upper in within {
      for lower in beyond
      where upper.isWithin(lower) {
        use(.float(term, upper, lower))
        return true
      }
    }
    return false
  }

  private mutating func hasNoText(_ term: Term, sizes: Differences) -> Bool {
    guard types(term) == .string else { return false }
    var literals: [Prop] = []
    for fact in facts {
      guard case .matches(let other, let pattern) = fact.atom, leader(other) == term
      else { continue }
      if case .string(let text) = constant(term) {
        moveToLeaders(fact.atom)
        if question.pattern(pattern)?.matches(text) != fact.holds { return true }
      }
      let literal = question.atom(fact.atom)
      literals.append(fact.holds ? literal : !literal)
    }
    if constant(term) != nil { return false }
    for size in terms {
      guard case .apply(.size, let arguments) = question[size],
        leader(arguments[0]) == term
      else { continue }
      literals += bounds(of: size, sizes)
      for other in others(than: size) {
        guard case .int(let number)? = constant(other), number < ValueRule.greatestSize else {
          continue
        }
        if size != leader(size) { use(.chain(leader(size), size, other)) }
        literals.append(!question.same(size, other))
      }
    }
    for other in others(than: term) where constant(other)?.type == .string {
      let literal = !question.same(term, other)
      if question.facts[literal.node] != nil { literals.append(literal) }
    }
    let rule = ValueRule.text(term, literals)
    guard !literals.isEmpty, rule.clauses(in: &question) != nil else { return false }
    use(rule)
    return true
  }

  /// Returns the bounds on the size of a string, as literals.
  private mutating func bounds(of size: Term, _ sizes: Differences) -> [Prop] {
    var literals: [Prop] = []
    if let (upper, place) = sizes.upper(of: leader(size)) {
      explain(sizes, at: place)
      literals.append(bound(on: size, .most(size, .int, upper)))
    }
    if let (lower, place) = sizes.lower(of: leader(size)) {
      explain(sizes, at: place)
      literals.append(!bound(on: size, .most(size, .int, lower - 1)))
    }
    return literals
  }

  private mutating func bound(on size: Term, _ atom: Fact) -> Prop {
    if size != leader(size) { use(.move(atom, size, leader(size))) }
    return question.atom(atom)
  }
}

/// The tightest difference bounds between terms of one scale, with their derivations.
struct Differences {
  /// The scale.
  let scale: Scale
  /// The terms; index 0 stands for zero.
  let nodes: [Term?]
  /// The bound value(end) <= value(start) + length.
  struct Bound {
    var start: Int
    var end: Int
    var length: Int128
    /// The bounds whose sum it is, the first one from the start to some middle; nil for a fact.
    var parts: (first: Int, second: Int)?
  }

  /// All bounds, in order of derivation.
  private(set) var bounds: [Bound] = []
  /// The index of the tightest bound, by start and end.
  private var least: [[Int?]]

  /// Creates a matrix without bounds.
  init(_ scale: Scale, of terms: [Term]) {
    self.scale = scale
    nodes = [nil] + terms.map { Optional($0) }
    least = Array(repeating: Array(repeating: nil, count: terms.count + 1), count: terms.count + 1)
  }

  /// Adds the bound end <= start + length; a missing term is zero.
  mutating func note(from start: Term?, to end: Term?, length: Int128) {
    guard let start = nodes.firstIndex(of: start), let end = nodes.firstIndex(of: end) else {
      return
    }
    improve(Bound(start: start, end: end, length: length))
  }

  private mutating func improve(_ bound: Bound) {
    if let known = least[bound.start][bound.end], bounds[known].length <= bound.length { return }
    least[bound.start][bound.end] = bounds.count
    bounds.append(bound)
  }

  /// Closes the bounds under addition (Floyd-Warshall).
  ///
  /// - Returns: The index of a negative cycle, or nil.
  mutating func close() -> Int? {
    for middle in nodes.indices {
      for start in nodes.indices {
        guard let first = least[start][middle] else { continue }
        for end in nodes.indices {
          guard let second = least[middle][end] else { continue }
          improve(
            Bound(
              start: start, end: end, length: bounds[first].length + bounds[second].length,
              parts: (first, second)))
          if start == end, let place = least[start][end], bounds[place].length < 0 { return place }
        }
      }
    }
    for node in nodes.indices {
      if let place = least[node][node], bounds[place].length < 0 { return place }
    }
    return nil
  }

  /// Returns the upper bound of a term, with the index of its derivation.
  func upper(of term: Term) -> (value: Int128, place: Int)? {
    guard let node = nodes.firstIndex(of: term), let place = least[0][node] else { return nil }
    return (bounds[place].length, place)
  }

  /// Returns the lower bound of a term, with the index of its derivation.
  func lower(of term: Term) -> (value: Int128, place: Int)? {
    guard let node = nodes.firstIndex(of: term), let place = least[node][0] else { return nil }
    return (-bounds[place].length, place)
  }

  /// Returns both bounds of a term, with the indices of their derivations.
  func range(
    of term: Term
  ) -> (lower: Int128, upper: Int128, places: (lower: Int, upper: Int))? {
    guard let lower = lower(of: term), let upper = upper(of: term) else { return nil }
    return (lower.value, upper.value, (lower.place, upper.place))
  }
}
