import RulesSolver

// A matrix asks of each of its cells whether each of hundreds of statements grants there, and whether it
// grants something that no other one does. A model that answers this for one cell answers it for most others
// of its column, if it says something about their fields, too.

/// What models of one question are to show for others on the same ground.
struct Neighbours {
  /// By statement, that it grants and no other one does; empty where there are few.
  private(set) var alone: [Ref] = []
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
    // That no statement grants before one, and none after it: all together as long as the statements are.
    var after: [Ref] = [.yes]
    for grant in grants.reversed() { after.append(graph.and([after[after.count - 1], !grant])) }
    var before = Ref.yes
    for (place, grant) in grants.enumerated() {
      alone.append(graph.and([before, grant, after[grants.count - place - 1]]))
      before = graph.and([before, !grant])
    }
  }
}
