import RulesEval
import RulesLang

// String constraints, checked at the end of a search: does a string satisfy patterns and length?

extension Theory {
  /// The constraints on the string of a class.
  package struct TextDemand {
    /// The patterns that it must match or must not match.
    package var patterns: [(pattern: PatternID, matches: Bool)] = []
    /// Minimum length, in UTF-16 units.
    package var lower = 0
    /// Maximum length, in UTF-16 units; nil if unbounded.
    package var upper: Int?
    /// Excluded lengths.
    package var gaps: Set<Int> = []
    /// The nodes that asserted the constraints.
    package var sources: Set<Source> = []
  }

  /// Returns the sources of a conflict between the constraints on a string, or nil. Sound but
  /// incomplete: a search that exceeds its limit counts as no conflict.
  func stringConflict() -> [Source]? {
    for index in leader.indices where leader[index] == Int32(index) {
      guard classTypes[index] == .string, classConstant[index] < 0 else { continue }
      let demand = demand(on: Int32(index))
      if demand.patterns.isEmpty && demand.upper == nil { continue }
      guard
        let words = RegexSolver(
          demand.patterns, lower: demand.lower, upper: demand.upper, gaps: demand.gaps,
          table: patterns, budget: budget)
      else { continue }
      let differences = textDifferences(of: Int32(index))
      guard
        case .found(let texts) = words.shortest(
          1, excluding: Set(differences.map { $0.text })), texts.isEmpty
      else { continue }
      var sources = demand.sources
      sources.formUnion(typeConflict(TermID(index), for: .string))
      for difference in differences { sources.formUnion(difference.sources) }
      return sources.sorted()
    }
    return nil
  }

  /// Returns the constraints on the string of a class.
  package func demand(on leader: Int32) -> TextDemand {
    var demand = TextDemand()
    let root = TermID(Int(leader))
    for member in members(of: leader) {
      for fact in patternFacts[member.index] {
        demand.patterns.append((fact.pattern, fact.matches))
        demand.sources.insert(fact.source)
        demand.sources.formUnion(explain(member, equals: root))
      }
    }
    for use in classUses[Int(leader)] {
      guard case .apply(.size, let arguments) = terms[use] else { continue }
      func addSources(_ own: Set<Source>) {
        demand.sources.formUnion(own)
        demand.sources.formUnion(explain(use, equals: self.leader(of: use)))
        demand.sources.formUnion(explain(arguments[0], equals: root))
      }
      let limits = limits(of: self.leader[use.index], .int)
      for (limit, isUpper) in [(limits.lower, false), (limits.upper, true)] {
        guard let limit, !isUpper || limit.value < Self.greatestSize else { continue }
        let value = Int(clamping: limit.value)
        if isUpper {
          demand.upper = min(demand.upper ?? .max, value)
        } else {
          demand.lower = max(demand.lower, value)
        }
        addSources(sources(of: limit))
      }
      for difference in constantDifferences(of: self.leader[use.index]) {
        guard case .int(let number) = difference.value, number < Self.greatestSize,
          let size = Int(exactly: number), size < .max
        else { continue }
        demand.gaps.insert(size)
        addSources(difference.sources)
      }
    }
    return demand
  }

  /// Returns the classes of the sizes of a class.
  package func sizes(of leader: Int32) -> [Int32] {
    var found: [Int32] = []
    for use in classUses[Int(leader)] {
      if case .apply(.size, _) = terms[use] { found.append(self.leader[use.index]) }
    }
    return found
  }

  /// Returns the constant strings that a class must differ from.
  private func textDifferences(of leader: Int32) -> [(text: Text, sources: Set<Source>)] {
    constantDifferences(of: leader).compactMap { value, sources in
      if case .string(let text) = value { (text, sources) } else { nil }
    }
  }

  /// Returns the constants that a class must differ from.
  private func constantDifferences(of leader: Int32) -> [(value: Value, sources: Set<Source>)] {
    var found: [(value: Value, sources: Set<Source>)] = []
    for member in members(of: leader) {
      for difference in differences[member.index] {
        guard let constant = constant(of: difference.other),
          let value = terms.value(of: constant)
        else { continue }
        var sources = Set(explain(member, equals: TermID(Int(leader))))
        sources.formUnion(explain(difference.other, equals: constant))
        sources.insert(difference.source)
        found.append((value, sources))
      }
    }
    return found
  }
}
