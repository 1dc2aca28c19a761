import RulesSolver

// A matrix asks of each of its cells whether each of hundreds of statements grants there, and whether it
// grants something that no other one does. A model that answers this for one cell answers it for most others
// of its column, if it says something about their fields, too.

/// What models of one question are to show for others on the same ground.
struct Neighbours {
  /// That no two statements grant; nil where there are few statements. A statement that grants then does so
  /// alone.
  private(set) var isLonely: Ref?
  /// What the questions are about.
  private(set) var rows: [Ref] = []

  /// Of fewer statements a model more costs less than what it says about other cells.
  private static let fewStatements = 12

  /// Knows nothing.
  init() {}

  /// What statements with some grants and questions with some scopes have in common.
  init(grants: [Ref], rows: [Ref], in graph: inout Graph) {
    if grants.count < Self.fewStatements { return }
    self.rows = rows
    var pairs: [Ref] = []
    _ = Self.refusal(of: grants[...], addingTo: &pairs, in: &graph)
    isLonely = graph.and(pairs)
  }

  /// That none of some statements grants. Of each half of them, and of each half of these, it is added that
  /// not both halves grant: the graph grows by as many parts as there are halves with a statement. That of
  /// each statement all others refuse would be as many parts as there are pairs.
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
