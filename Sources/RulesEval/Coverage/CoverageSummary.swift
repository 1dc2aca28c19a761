/// Coverage figures of a rules file, or of several.
public struct CoverageSummary: Sendable {
  /// A count of seen outcomes out of possible ones.
  public struct Count: Sendable {
    /// The outcomes that were seen.
    public var seen = 0
    /// The outcomes that are possible.
    public var possible = 0

    /// The share that was seen, in percent; 100 if nothing is possible.
    public var percent: Double {
      possible == 0 ? 100 : Double(seen) * 100 / Double(possible)
    }
  }

  /// The statements that were tried.
  public var statements = Count()
  /// The outcomes of their conditions.
  public var conditions = Count()
  /// The outcomes of sub-expressions.
  public var expressions = Count()

  /// Creates the summary of no places.
  public init() {}

  /// Counts places.
  public init(_ places: [CoveragePlace]) {
    for place in places {
      switch place.subject {
      case .statement: statements.add(place)
      case .condition: conditions.add(place)
      case .expression: expressions.add(place)
      }
    }
  }

  /// The sum of all three, which coverage thresholds compare with.
  public var total: Count {
    Count(
      seen: statements.seen + conditions.seen + expressions.seen,
      possible: statements.possible + conditions.possible + expressions.possible)
  }

  /// Returns the summary of both files together.
  public func and(_ other: CoverageSummary) -> CoverageSummary {
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
