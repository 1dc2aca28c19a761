import RulesEncoding
import RulesEval
import RulesLang

/// The statements that can apply to requests of one kind.
struct ApplicableStatements {
  /// The kind of request.
  let scenario: Scenario
  /// The statements, in evaluation order.
  let allows: [AllowID]
  /// Maximum evaluator steps for a request to these statements.
  let stepsToDecide: Int
}

/// The query of a claim for one kind of request, which is encoded when something asks for it.
final class KindQuery {
  /// The statements that can apply.
  let statements: ApplicableStatements
  private let encode: () -> Goal
  /// The encoded query.
  private(set) lazy var goal = encode()

  /// Creates a query that `encode` encodes.
  init(about statements: ApplicableStatements, encode: @escaping () -> Goal) {
    (self.statements, self.encode) = (statements, encode)
  }

  /// The kind of request.
  var scenario: Scenario { statements.scenario }

  /// Replaces the query by the one that a search has refuted.
  func conclude(_ refuted: Goal) { goal = refuted }
}
