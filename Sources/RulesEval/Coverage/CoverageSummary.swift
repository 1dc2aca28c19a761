/// How much of a rules file, or of several, the tests cover.
package struct CoverageSummary: Sendable {
  /// So many of so many.
  package struct Count: Sendable {
    /// The outcomes that were seen.
    package var seen = 0
    /// The outcomes that are possible.
    package var possible = 0

    /// The share that was seen, in percent; all of nothing is 100.
    package var percent: Double {
      possible == 0 ? 100 : Double(seen) * 100 / Double(possible)
    }
  }

  /// The statements that were tried.
  package var statements = Count()
  /// The outcomes of their conditions.
  package var conditions = Count()
  /// The outcomes of sub-expressions.
  package var expressions = Count()

  /// Nothing.
  package init() {}

  /// Counts places.
  package init(_ places: [CoveragePlace]) {
    for place in places {
      switch place.subject {
      case .statement: statements.add(place)
      case .condition: conditions.add(place)
      case .expression: expressions.add(place)
      }
    }
  }

  /// All three together: the number that a threshold is about.
  package var total: Count {
    Count(
      seen: statements.seen + conditions.seen + expressions.seen,
      possible: statements.possible + conditions.possible + expressions.possible)
  }

  /// The summary of this and another file.
  package func and(_ other: CoverageSummary) -> CoverageSummary {
    var sum = self
    sum.statements.add(other.statements)
    sum.conditions.add(other.conditions)
    sum.expressions.add(other.expressions)
    return sum
  }
}

extension CoverageSummary.Count {
  fileprivate mutating func add(_ place: CoveragePlace) {
    seen += place.seen
    possible += place.possible
  }

  fileprivate mutating func add(_ other: Self) {
    seen += other.seen
    possible += other.possible
  }
}
