import RulesEncoding
package import RulesLang

// Answers about a document depend on the blocks that may match it, and on nothing else: whatever a
// condition looks up is arbitrary. Two exceptions need the statements of further blocks: `getAfter` and
// `existsAfter` look up what the same commit writes, which other statements must grant; and whether clients
// can make a condition true depends on who may write what it looks up.
//
// Sound: a lookup whose path is not written out, and a step of a path that may be a path itself, count as
// any path.

/// The match blocks of a file, each with what answers about its documents depend on.
package struct BlockPlan: Sendable {
  /// The blocks with one path pattern, which are proved together.
  package struct Unit: Sendable {
    /// The blocks.
    package var blocks: [MatchID]
    /// The statements of the blocks.
    package var allows: Set<AllowID> = []
    /// The blocks on which decisions about the unit's documents depend.
    package var near: Set<MatchID> = []
    /// The blocks on which it depends what clients can do in several requests.
    package var far: Set<MatchID> = []
    /// The functions that no other unit calls.
    package var own: Set<FunctionID> = []
    /// The functions that other units call, too.
    package var shared: Set<FunctionID> = []
    /// True if every condition is `false`.
    package var isInert = false
  }

  /// The units, in the order of their first blocks.
  package private(set) var units: [Unit] = []

  /// Splits rules; nil if their blocks cannot be told apart.
  package init?(_ rules: Checked) {
    let ruleset = rules.ruleset
    var places: [[PatternStep]: Int] = [:]
    var lookups: [MatchID: [LookupPattern]] = [:]
    for index in ruleset.matches.indices {
      let (match, facts) = (ruleset.matches[index], rules.matches[index])
      guard ruleset.services[match.service].name.text == Ruleset.firestoreService,
        !match.allows.isEmpty, facts.isReachable
      else { continue }
      // The engine compares some steps twice.
      if facts.overlap > 0 { return nil }
      let shape = facts.pattern.map { $0.unnamed }
      let place = places[shape] ?? units.count
      if place == units.count {
        places[shape] = place
        units.append(Unit(blocks: []))
      }
      units[place].blocks.append(MatchID(index))
      units[place].allows.formUnion(match.allows)
      lookups[MatchID(index)] = LookupPattern.all(in: MatchID(index), of: rules)
    }
    if units.isEmpty { return nil }
    findDependencies(of: rules, looking: lookups)
    findFunctions(of: rules)
  }

  private mutating func findDependencies(
    of rules: Checked, looking lookups: [MatchID: [LookupPattern]]
  ) {
    let granting = Set(rules.grantingStatements)
    let patterns = units.map { rules.matches[$0.blocks[0].index].pattern.map { $0.unnamed } }
    /// Returns the units that may match a document of the patterns, and those that these depend on.
    func closure(from first: Int, where counts: (LookupPattern) -> Bool) -> Set<MatchID> {
      var found: Set<Int> = []
      var rest = [patterns[first]]
      var seen = Set(rest)
      while let pattern = rest.popLast() {
        for place in patterns.indices
        where !found.contains(place) && PatternStep.mayMeet(pattern, patterns[place]) {
          found.insert(place)
          for block in units[place].blocks {
            for lookup in lookups[block] ?? []
            where counts(lookup) && seen.insert(lookup.steps).inserted {
              rest.append(lookup.steps)
            }
          }
        }
      }
      return Set(found.flatMap { units[$0].blocks })
    }
    for place in units.indices {
      units[place].isInert = units[place].allows.isDisjoint(with: granting)
      units[place].near = closure(from: place) { $0.isAfter }
      // No sequence of requests makes a condition true that is `false`.
      units[place].far =
        units[place].isInert ? units[place].near : closure(from: place) { _ in true }
    }
  }

  private mutating func findFunctions(of rules: Checked) {
    var callers: [FunctionID: Int] = [:]
    let called = units.map { unit in
      rules.functions(calledBy: unit.allows.compactMap { rules.ruleset[$0].condition })
    }
    for functions in called {
      for function in functions { callers[function, default: 0] += 1 }
    }
    for place in units.indices {
      units[place].own = called[place].filter { callers[$0] == 1 }
      units[place].shared = called[place].subtracting(units[place].own)
    }
  }

  /// True if two units with removable parts may match the same document, so that a part of one may only be
  /// redundant as long as that of the other is there.
  package func haveCommonDocuments(among places: [Int]) -> Bool {
    places.contains { one in
      places.contains { $0 != one && !units[one].near.isDisjoint(with: units[$0].blocks) }
    }
  }
}

/// The documents that a condition may look up.
struct LookupPattern: Hashable {
  /// The path.
  var steps: [PatternStep]
  /// True if the lookup is of the state after the commit.
  var isAfter: Bool

  /// Returns the lookups of a block's statements.
  static func all(in block: MatchID, of rules: Checked) -> [LookupPattern] {
    let ruleset = rules.ruleset
    let conditions = ruleset[block].allows.compactMap { ruleset[$0].condition }
    var found: [LookupPattern] = []
    for body in rules.bodies(reachedFrom: conditions) {
      for id in body.nodes {
        guard case .builtin(let builtin) = rules.binding(id), builtin.isLookup,
          case .call(_, let arguments) = ruleset[id].kind
        else { continue }
        let lookup = LookupPattern(
          steps: arguments.first.map { steps(of: $0, in: rules) } ?? [],
          isAfter: builtin == .getAfter || builtin == .existsAfter)
        if !found.contains(lookup) { found.append(lookup) }
      }
    }
    return found
  }

  private static func steps(of path: ExprID, in rules: Checked) -> [PatternStep] {
    guard case .path(let parts) = rules.ruleset[rules.ruleset.unparenthesized(path)].kind else {
      return [.glob(0)]
    }
    return parts.map { part in
      switch part.kind {
      case .literal(let text): .literal(text)
      case .capture: .capture(0)
      case .glob: .glob(0)
      case .interpolation(let inner):
        // A path is spliced; other values become one segment.
        rules.types[inner.index].contains(.path) ? .glob(0) : .capture(0)
      }
    }
  }
}

extension PatternStep {
  /// The step without a capture slot.
  fileprivate var unnamed: PatternStep {
    switch self {
    case .literal: self
    case .capture: .capture(0)
    case .glob: .glob(0)
    }
  }

  /// True if some path may match both patterns. False only if none does.
  static func mayMeet(_ one: [PatternStep], _ other: [PatternStep]) -> Bool {
    func agree(_ pairs: some Sequence<(PatternStep, PatternStep)>) -> Bool {
      for (one, other) in pairs {
        if one.isGlob || other.isGlob { return true }
        if case .literal(let left) = one, case .literal(let right) = other, left != right {
          return false
        }
      }
      return true
    }
    let (least, otherLeast) = (one.count { !$0.isGlob }, other.count { !$0.isGlob })
    if otherLeast == other.count, least > other.count { return false }
    if least == one.count, otherLeast > one.count { return false }
    return agree(zip(one, other)) && agree(zip(one.reversed(), other.reversed()))
  }
}
