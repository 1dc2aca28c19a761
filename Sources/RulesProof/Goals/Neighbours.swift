import RulesSolver

// A matrix asks for each cell whether each of hundreds of statements grants, and whether it grants
// something that no other one does. A model for one cell answers most other cells of its column, if
// it constrains their fields, too.

/// Cross-query hints: soft constraints that make models answer other queries as well.
struct Neighbours {
  /// Proposition that no two statements grant; nil if there are few statements. Then a granting
  /// statement is the only one.
  private(set) var isLonely: Ref?
  /// The subjects of the queries.
  private(set) var rows: [Ref] = []

  /// Minimum statements; with fewer, another model is cheaper.
  private static let fewStatements = 12

  /// Creates no hints.
  init() {}

  /// Creates hints for statements and query scopes.
  init(grants: [Ref], rows: [Ref], in graph: inout Graph) {
    if grants.count < Self.fewStatements { return }
    self.rows = rows
    var pairs: [Ref] = []
    _ = Self.refusal(of: grants[...], addingTo: &pairs, in: &graph)
    isLonely = graph.and(pairs)
  }

  /// Returns "none of these statements grants", and adds for each split in halves that not both
  /// grant. This encodes "at most one" with linearly many nodes instead of one for each pair.
  private static func refusal(
    of grants: ArraySlice<Ref>, addingTo pairs: inout [Ref], in graph: inout Graph
  ) -> Ref {
    if grants.count < 2 { return graph.and(grants.map { !$0 }) }
    let middle = grants.startIndex + grants.count / 2
    let one = refusal(of: grants[..<middle], addingTo: &pairs, in: &graph)
    let other = refusal(of: grants[middle...], addingTo: &pairs, in: &graph)
    pairs.append(graph.or(one, other))
    return graph.and(one, other)
  }
}
