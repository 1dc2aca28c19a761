import RulesLang

// The filter of a query as alternatives, each of which is decided by itself (Docs/Language.md §9).

extension Query {
  /// The filters on one field in a disjunct.
  struct Condition: Sendable {
    /// The field that is compared.
    var field: FieldPath
    /// The values, each with its comparison.
    var entries: [Constraint.Entry]
  }

  /// Returns the filter as a disjunction of conjunctions (disjunctive normal form); nil if there are too many
  /// disjuncts.
  func disjuncts() -> [[Condition]]? {
    guard let filter else { return [[]] }
    return filter.disjuncts()?.map { $0.conditions }
  }
}

/// One disjunct of a filter.
private struct Disjunct {
  var conditions: [Query.Condition]
  /// True if it was written as a conjunction: the emulator distinguishes `AND(x, x)` from `x` as members of a
  /// filter.
  var isConjunction = false

  /// True if both have the same conditions.
  func asksSame(as other: Disjunct) -> Bool {
    conditions.count == other.conditions.count
      && conditions.allSatisfy { condition in
        other.conditions.contains { $0.isSame(as: condition) }
      }
  }

  /// True if the emulator treats both as the same member of a filter.
  func isSame(as other: Disjunct) -> Bool {
    isConjunction == other.isConjunction && asksSame(as: other)
  }

  /// Returns the conjunction of both.
  func and(_ other: Disjunct) -> Disjunct {
    var both = Disjunct(conditions: conditions, isConjunction: true)
    for condition in other.conditions
    where !both.conditions.contains(where: { $0.isSame(as: condition) }) {
      both.conditions.append(condition)
    }
    if both.conditions.count > 1 { both.isConjunction = false }
    return both
  }
}

extension Query.Filter {
  /// Returns the disjuncts; nil if there are too many.
  fileprivate func disjuncts() -> [Disjunct]? {
    switch self {
    case .field(let field, let comparison, let value):
      return Self.distinct(
        Query.alternatives(for: comparison, with: value).map {
          Disjunct(conditions: [Query.Condition(field: field, entries: $0)])
        })
    case .or(let parts):
      var result: [Disjunct] = []
      for part in parts {
        guard let more = part.disjuncts() else { return nil }
        result = Self.distinct(result + more)
        if result.count > Query.maximumDisjuncts { return nil }
      }
      return result
    case .and:
      guard let members = members() else { return nil }
      guard var result = members.first else { return [Disjunct(conditions: [])] }
      // All members of a conjunction of plain conditions may be one.
      let isPlain = members.count == 1 && result.count == 1
      if isPlain, flattened.count > 1, result[0].conditions.count == 1 {
        result[0].isConjunction = true
      }
      for member in members.dropFirst() {
        result = Self.distinct(result.flatMap { left in member.map { left.and($0) } })
        if result.count > Query.maximumDisjuncts { return nil }
      }
      return result
    }
  }

  /// Returns the disjuncts of each member of a conjunction, nested conjunctions flattened, without
  /// repetitions of an earlier member: the emulator drops these (Docs/Fidelity.md §5). Nil if a member has
  /// too many disjuncts.
  private func members() -> [[Disjunct]]? {
    var kept: [[Disjunct]] = []
    for part in flattened {
      guard let disjuncts = part.disjuncts() else { return nil }
      if !kept.contains(where: { Self.areSame($0, disjuncts) }) { kept.append(disjuncts) }
    }
    return kept
  }

  /// The members of a conjunction, nested conjunctions flattened; the filter itself if it is not a
  /// conjunction.
  private var flattened: [Query.Filter] {
    switch self {
    case .and(let parts): parts.flatMap { $0.flattened }
    case .or(let parts) where parts.count == 1: parts[0].flattened
    case .field, .or: [self]
    }
  }

  private static func areSame(_ one: [Disjunct], _ other: [Disjunct]) -> Bool {
    one.count == other.count
      && one.allSatisfy { disjunct in other.contains { $0.isSame(as: disjunct) } }
  }

  /// Returns the disjuncts without repetitions of an earlier one.
  private static func distinct(_ disjuncts: [Disjunct]) -> [Disjunct] {
    var kept: [Disjunct] = []
    for disjunct in disjuncts where !kept.contains(where: { $0.asksSame(as: disjunct) }) {
      kept.append(disjunct)
    }
    return kept
  }
}

extension Query.Condition {
  /// True if both put the same conditions on the same field.
  fileprivate func isSame(as other: Query.Condition) -> Bool {
    field == other.field && entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { $0.isSame(as: $1) }
  }
}
