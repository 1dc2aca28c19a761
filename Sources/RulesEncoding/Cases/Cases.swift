package import RulesLang
package import RulesSolver

/// The value of an expression, as cases that exclude each other. If no case applies, the expression ends in
/// an error.
package struct Cases: Hashable, Sendable {
  /// One case.
  package struct Case: Hashable, Sendable {
    /// The guard: the proposition that the case applies.
    var guardRef: Ref
    /// The value in this case.
    package var shape: Shape
  }

  /// The cases.
  package var cases: [Case]

  /// The value that is always an error.
  package static let error = Cases(cases: [])

  /// Creates a value from its cases; those that never apply are dropped.
  package init(cases: [Case]) { self.cases = cases.filter { $0.guardRef != .no } }

  /// Creates a value that always has this shape.
  package init(_ shape: Shape) { cases = [Case(guardRef: .yes, shape: shape)] }

  /// Creates a value that is always this term.
  package init(_ term: TermID) { self.init(.term(term)) }

  /// Hashes the cases. Not inlined, because the copies in all callers would be longer than the rest of the
  /// code.
  @inline(never)
  package func hash(into hasher: inout Hasher) {
    hasher.combine(cases)
  }

  /// The shape of a value with a single case that always applies; nil for others.
  package var only: Shape? { cases.count == 1 && cases[0].guardRef == .yes ? cases[0].shape : nil }
}

extension Cases {
  /// True if values have more than 4,000 parts, counting shared parts each time: comparisons of what contains
  /// them would take too long.
  static func areTooHeavy(_ values: [Cases]) -> Bool {
    var left = EncodingStrategy.weight
    for value in values { value.weigh(&left) }
    return left < 0
  }

  /// Returns the number of parts of values, counting shared parts each time and stopping at about 2²⁰.
  package static func weight(of values: [Cases]) -> Int {
    let greatest = 1 << 20
    var left = greatest
    for value in values { value.weigh(&left) }
    return greatest - left
  }

  private func weigh(_ left: inout Int) {
    for each in cases where left >= 0 {
      left -= 1
      switch each.shape {
      case .list(let elements), .set(let elements):
        for element in elements where left >= 0 { element.weigh(&left) }
      case .record(let fields), .view(let fields):
        for field in fields where left >= 0 { field.value.weigh(&left) }
      case .term, .truth, .path, .keyList, .keySet, .count, .diff: break
      }
    }
  }
}

/// The known structure of a value.
package indirect enum Shape: Hashable, Sendable {
  /// The value of a term, of any structure.
  case term(TermID)
  /// A bool: the truth of a proposition.
  case truth(Ref)
  /// A list of known elements.
  case list([Cases])
  /// A set of known elements.
  case set([Cases])
  /// A map with exactly these keys.
  case record([Field])
  /// A map with these readable members, some of them only in some requests: `request`, `request.query`, or
  /// the `resource` of a query.
  case view([Field])
  /// A path of these plain segments.
  case path([TermID])
  /// The keys of a map, as a sorted list.
  case keyList(KeySet)
  /// A set of keys.
  case keySet(KeySet)
  /// The size of a key set.
  case count(KeySet)
  /// The result of `after.diff(before)`.
  case diff(after: TermID, before: TermID)

  /// One key of a record.
  package struct Field: Hashable, Sendable {
    /// The key.
    package var key: Text
    /// The value of the key.
    package var value: Cases
  }
}

/// A set of keys of one map, or of two compared maps.
///
/// For each key that the rules name (a named key), a proposition says whether the set contains it. Of all
/// other keys (unnamed ones) only the fate is observable: the set contains all unnamed keys of a fate or none
/// of them, and each fate has its own witness. One witness for all fates would be unsound, because it could
/// not be both changed and kept.
package struct KeySet: Hashable, Sendable {
  /// The maps that the keys come from.
  package enum Origin: Hashable, Sendable {
    /// The keys of a map.
    case map(TermID)
    /// The keys of two compared maps.
    case pair(after: TermID, before: TermID)
  }

  /// The maps that the keys come from; nil for a set literal.
  package var origin: Origin?
  /// For each of the compiler's keys, in order, the proposition that the set contains it.
  package var named: [Ref]
  /// The fates whose unnamed keys are in the set. For a single map, `kept` means that they are.
  package var unnamed: KeyFates
}

/// The two rails of a condition: the proposition that it is true, and the one that it is false. If neither
/// holds, its evaluation ends in an error.
package struct Rails: Hashable, Sendable {
  /// The proposition that the condition is true.
  package var yes: Ref
  /// The proposition that the condition is false.
  package var no: Ref

  /// The rails of a condition that always ends in an error.
  package static let error = Rails(yes: .no, no: .no)

  /// The rails of the negated condition.
  var opposite: Rails { Rails(yes: no, no: yes) }
}

extension Graph {
  /// Returns the rails of `one && other`: a false operand decides, even if the other one is an error.
  mutating func both(_ one: Rails, _ other: Rails) -> Rails {
    Rails(yes: and(one.yes, other.yes), no: or(one.no, other.no))
  }

  /// Returns the rails of `one || other`: a true operand decides, even if the other one is an error.
  mutating func either(_ one: Rails, _ other: Rails) -> Rails {
    Rails(yes: or(one.yes, other.yes), no: and(one.no, other.no))
  }
}
