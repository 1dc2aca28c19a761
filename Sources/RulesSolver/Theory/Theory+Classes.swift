package import RulesEval
import RulesLang

// Checks of a single class: finite types, bounds, floats, patterns, and containment cycles.

extension Theory {
  /// Returns the members of a class.
  package func members(of leader: Int32) -> [TermID] {
    var found: [TermID] = []
    var member = leader
    repeat {
      found.append(TermID(Int(member)))
      member = nextInClass[Int(member)]
    } while member != leader
    return found
  }

  /// Returns the leader of a term's class.
  package func leader(of term: TermID) -> TermID { TermID(Int(leader[term.index])) }

  /// Returns the constant in a term's class, or nil.
  package func constant(of term: TermID) -> TermID? {
    let constant = classConstant[Int(leader[term.index])]
    return constant >= 0 ? TermID(Int(constant)) : nil
  }

  /// Checks a class after a change.
  ///
  /// - Returns: The sources of a conflict, or nil.
  package mutating func check(_ changed: Int32) -> [Source]? {
    let leader = self.leader[Int(changed)]
    let types = classTypes[Int(leader)]
    if types == .bool || types == .null {
      if let conflict = settleFinite(leader, types: types) { return conflict }
    }
    if let domain = Self.domain(of: types), let conflict = checkBounds(of: leader, in: domain) {
      return conflict
    }
    if types == .float, let conflict = checkFloats(leader) { return conflict }
    return checkConstantPatterns(leader)
  }

  private static func domain(of types: TypeSet) -> Domain? {
    switch types {
    case .int: .int
    case .timestamp: .timestamp
    case .duration: .duration
    default: nil
    }
  }

  // MARK: Finite types

  /// Merges a bool that is unequal to one of the two constants with the other one, and a null with
  /// null.
  private mutating func settleFinite(_ leader: Int32, types: TypeSet) -> [Source]? {
    if classConstant[Int(leader)] >= 0 { return nil }
    let term = TermID(Int(leader))
    if types == .null {
      return merge(term, with: terms.null, because: .facts(typeConflict(term, for: .null)))
    }
    for member in members(of: leader) {
      for difference in differences[member.index] {
        guard let constant = constant(of: difference.other) else { continue }
        // Both constants being excluded would have been a conflict already.
        guard constant == terms.yes || constant == terms.no else { continue }
        let other = constant == terms.yes ? terms.no : terms.yes
        let facts = Set(typeConflict(member, for: .bool) + [difference.source])
          .union(explain(difference.other, equals: constant))
        return merge(member, with: other, because: .facts(facts.sorted()))
      }
    }
    return nil
  }

  // MARK: Bounds

  /// A bound of a class, and the member that it was asserted of.
  package struct Limit {
    /// The bound, in steps of its domain.
    package var value: Int128
    /// The member that the bound was asserted of.
    package var term: TermID
    /// The node that asserted the bound; nil for a bound that every value has.
    package var source: Source?
  }

  /// Returns the tightest bounds of a class in a domain. A lower bound only counts if the class has
  /// the domain's type.
  package func limits(of leader: Int32, _ domain: Domain) -> (lower: Limit?, upper: Limit?) {
    var lower: Limit?
    var upper: Limit?
    func take(_ limit: Limit, isUpper: Bool) {
      if isUpper {
        if limit.value < upper?.value ?? .max { upper = limit }
      } else if limit.value > lower?.value ?? .min {
        lower = limit
      }
    }
    var member = leader
    repeat {
      let term = TermID(Int(member))
      if let value = terms.value(of: term).flatMap({ $0.count(in: domain) }) {
        take(Limit(value: value, term: term, source: nil), isUpper: true)
        take(Limit(value: value, term: term, source: nil), isUpper: false)
      }
      for fact in boundFacts[Int(member)] where fact.domain == domain {
        take(
          Limit(value: fact.value, term: term, source: fact.source), isUpper: fact.isUpper)
      }
      member = nextInClass[Int(member)]
    } while member != leader
    return (lower, upper)
  }

  /// Returns the sources of a limit of a class leader.
  package func sources(of limit: Limit) -> Set<Source> {
    var sources = Set(explain(limit.term, equals: leader(of: limit.term)))
    if let source = limit.source { sources.insert(source) }
    return sources
  }

  private func checkBounds(of leader: Int32, in domain: Domain) -> [Source]? {
    let limits = limits(of: leader, domain)
    guard let lower = limits.lower, let upper = limits.upper else { return nil }
    if lower.value <= upper.value {
      guard upper.value - lower.value < 64 else { return nil }
      return checkExhausted(leader, in: domain, lower: lower, upper: upper)
    }
    return conflict(of: leader, in: domain, lower: lower, upper: upper).sorted()
  }

  private func conflict(
    of leader: Int32, in domain: Domain, lower: Limit, upper: Limit
  ) -> Set<Source> {
    sources(of: lower).union(sources(of: upper))
      .union(typeConflict(TermID(Int(leader)), for: TypeSet(domain.type)))
  }

  /// Checks a class with few possible values for being unequal to all of them.
  private func checkExhausted(
    _ leader: Int32, in domain: Domain, lower: Limit, upper: Limit
  ) -> [Source]? {
    var open: Set<Int128> = []
    for step in 0...Int(upper.value - lower.value) { open.insert(lower.value + Int128(step)) }
    var used: [(member: TermID, difference: Difference, constant: TermID)] = []
    for member in members(of: leader) {
      for difference in differences[member.index] {
        guard let constant = constant(of: difference.other),
          let value = terms.value(of: constant)?.count(in: domain),
          open.remove(value) != nil
        else { continue }
        used.append((member, difference, constant))
      }
    }
    guard open.isEmpty else { return nil }
    var sources = conflict(of: leader, in: domain, lower: lower, upper: upper)
    for (member, difference, constant) in used {
      sources.insert(difference.source)
      sources.formUnion(explain(difference.other, equals: constant))
      sources.formUnion(explain(member, equals: TermID(Int(leader))))
    }
    return sources.sorted()
  }

  /// Checks float bounds. An upper bound that holds excludes NaN, and then every bound that does
  /// not hold is a lower bound. A constant decides every bound.
  private func checkFloats(_ leader: Int32) -> [Source]? {
    var upper: (fact: FloatFact, term: TermID)?
    var lower: (fact: FloatFact, term: TermID)?
    let constant = classConstant[Int(leader)]
    for member in members(of: leader) {
      for fact in floatFacts[member.index] {
        if constant >= 0, fact.bound.includes(terms.value(of: TermID(Int(constant)))) != fact.holds
        {
          return explain(member, equals: TermID(Int(constant))) + [fact.source]
        }
        if fact.holds, upper.map({ fact.bound.isTighter(than: $0.fact.bound) }) ?? true {
          upper = (fact, member)
        }
        if !fact.holds, lower.map({ $0.fact.bound.isTighter(than: fact.bound) }) ?? true {
          lower = (fact, member)
        }
      }
    }
    guard let upper, let lower, !lower.fact.bound.isTighter(than: upper.fact.bound) else {
      return nil
    }
    var sources = Set(explain(upper.term, equals: lower.term))
    sources.formUnion([upper.fact.source, lower.fact.source])
    sources.formUnion(typeConflict(upper.term, for: .float))
    return sources.sorted()
  }

  // MARK: Patterns of constants

  /// Checks the constant of a class against its patterns.
  func checkConstantPatterns(_ changed: Int32) -> [Source]? {
    let leader = self.leader[Int(changed)]
    let constant = classConstant[Int(leader)]
    guard constant >= 0, case .string(let text) = terms.value(of: TermID(Int(constant))) else {
      return nil
    }
    for member in members(of: leader) {
      for fact in patternFacts[member.index]
      where patterns.matches(fact.pattern, text: text) != fact.matches {
        return explain(member, equals: TermID(Int(constant))) + [fact.source]
      }
    }
    return nil
  }

  // MARK: Values inside themselves

  /// Checks that no value contains itself (occurs check).
  ///
  /// Only a cycle is explained: explaining every step of the search would cost more than the rest
  /// of the solver if hundreds of fields are equal.
  func occursConflict(_ leader: Int32) -> [Source]? {
    var seen: Set<Int32> = []
    var steps: [StepOut] = []
    var open: [Int] = []
    func leave(_ leader: Int32, from inner: TermID, after step: Int?) {
      for member in members(of: leader) {
        guard case .apply(let op, let arguments) = terms[member], op == .field || op == .element
        else { continue }
        open.append(steps.count)
        steps.append(
          StepOut(container: arguments[0], inner: inner, member: member, before: step))
      }
    }
    let start = TermID(Int(leader))
    leave(leader, from: start, after: nil)
    while let last = open.popLast() {
      let container = steps[last].container
      let outer = self.leader[container.index]
      if outer == leader {
        var why = Set(explain(container, equals: start))
        var next: Int? = last
        while let place = next {
          why.formUnion(explain(steps[place].inner, equals: steps[place].member))
          next = steps[place].before
        }
        return why.sorted()
      }
      if seen.insert(outer).inserted { leave(outer, from: container, after: last) }
    }
    return nil
  }

  /// A step of the search from a value to one that contains it.
  private struct StepOut {
    /// The container of the value.
    var container: TermID
    /// The value, as the previous step reached it.
    var inner: TermID
    /// The term of the same class that is a field or element of the container.
    var member: TermID
    /// The index of the previous step.
    var before: Int?
  }
}

extension FloatBound {
  /// True if a float is within the bound; NaN never is.
  package func includes(_ value: Value?) -> Bool {
    guard case .float(let number) = value else { return false }
    return isStrict ? number < self.value : number <= self.value
  }

  /// True if this bound is tighter than the other.
  func isTighter(than other: FloatBound) -> Bool {
    value != other.value ? value < other.value : isStrict && !other.isStrict
  }
}
