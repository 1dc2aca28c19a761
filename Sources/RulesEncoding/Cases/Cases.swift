package import RulesLang
package import RulesSolver

/// What an expression can be, by cases that exclude each other. Where no case applies the expression
/// ends in an error.
package struct Cases: Hashable, Sendable {
  /// One case.
  package struct Case: Hashable, Sendable {
    /// When it applies.
    var guardRef: Ref
    /// What the expression is then.
    package var shape: Shape
  }

  /// The cases.
  package var cases: [Case]

  /// Always an error.
  package static let error = Cases(cases: [])

  /// Makes the value with these cases; those that never apply are left out.
  package init(cases: [Case]) { self.cases = cases.filter { $0.guardRef != .no } }

  /// Always this shape.
  package init(_ shape: Shape) { cases = [Case(guardRef: .yes, shape: shape)] }

  /// Always this term.
  package init(_ term: TermID) { self.init(.term(term)) }

  /// Hashes the cases. Not compiled into whatever hashes some: that would take more than all of the rest.
  @inline(never)
  package func hash(into hasher: inout Hasher) {
    hasher.combine(cases)
  }

  /// The only shape there is, if it always applies.
  package var only: Shape? { cases.count == 1 && cases[0].guardRef == .yes ? cases[0].shape : nil }
}

extension Cases {
  /// Whether values have so many parts, where shared ones count each time, that comparing what is
  /// made of them would take very long.
  static func areTooHeavy(_ values: [Cases]) -> Bool {
    var left = 4000
    for value in values { value.weigh(&left) }
    return left < 0
  }

  /// How many parts values have, where shared ones count each time; of more than a million it is said
  /// that there are so many.
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

/// What is known of the form of a value.
package indirect enum Shape: Hashable, Sendable {
  /// A value that only a term names.
  case term(TermID)
  /// A bool that is true exactly if a proposition holds.
  case truth(Ref)
  /// A list that is written out.
  case list([Cases])
  /// A set whose elements are written out.
  case set([Cases])
  /// A map with exactly these keys.
  case record([Field])
  /// A map of which these members can be read, some of them only in some requests: `request`, a
  /// query, what a query promises of its documents.
  case view([Field])
  /// A path of plain segments.
  case path([TermID])
  /// The keys of a map, as a list.
  case keyList(KeySet)
  /// A set of keys.
  case keySet(KeySet)
  /// The size of a set of keys.
  case count(KeySet)
  /// What a `diff` found between two maps.
  case diff(after: TermID, before: TermID)

  /// One key of a record.
  package struct Field: Hashable, Sendable {
    /// The key.
    package var key: Text
    /// What its value can be.
    package var value: Cases
  }
}

/// A set of keys of one or two maps.
///
/// For each key that a rule names there is a proposition that says whether it is in the set. Of the
/// keys that nobody names only their fate can be observed; the set has all of a fate or none, and
/// each fate has a witness of its own. (One witness for all would be unsound: it could not be both
/// changed and kept.)
package struct KeySet: Hashable, Sendable {
  /// Where the keys come from.
  package enum Origin: Hashable, Sendable {
    /// The keys of a map.
    case map(TermID)
    /// The keys of two maps that are compared.
    case pair(after: TermID, before: TermID)
  }

  /// Where the keys come from; nil for a set that is written out.
  package var origin: Origin?
  /// Whether each named key is in the set, in the order of the compiler's keys.
  package var named: [Ref]
  /// The fates whose unnamed keys are in the set; for a single map `kept` stands for being in it.
  package var unnamed: KeyFates
}

/// When a condition is true and when it is false; otherwise it ends in an error.
package struct Rails: Hashable, Sendable {
  /// When it is true.
  package var yes: Ref
  /// When it is false.
  package var no: Ref

  /// Neither true nor false.
  package static let error = Rails(yes: .no, no: .no)

  /// When the opposite is true and when it is false.
  var opposite: Rails { Rails(yes: no, no: yes) }
}

extension Graph {
  /// When `one && other` is true and when it is false: either side decides whatever the other one is.
  mutating func both(_ one: Rails, _ other: Rails) -> Rails {
    Rails(yes: and(one.yes, other.yes), no: or(one.no, other.no))
  }

  /// The same of `one || other`.
  mutating func either(_ one: Rails, _ other: Rails) -> Rails {
    Rails(yes: or(one.yes, other.yes), no: and(one.no, other.no))
  }
}
