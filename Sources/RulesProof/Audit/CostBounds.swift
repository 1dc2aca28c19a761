import RulesEncoding
import RulesEval
package import RulesLang

/// Upper bounds of the evaluation cost of requests: each part of each condition counts once, and of
/// a conditional expression the more expensive branch.
///
/// Sound: rules have no loops, so no request costs more. Not tight: the counted parts may exclude
/// each other.
package struct CostBounds: Sendable {
  /// An evaluation cost.
  package struct Amount: Sendable {
    /// The number of evaluated expressions.
    package var expressions: Int
    /// The number of calls of `get`, `exists`, `getAfter` and `existsAfter`.
    package var lookups: Int
  }

  /// The cost bound of a statement.
  package struct Statement: Sendable {
    /// The statement.
    package var allow: AllowID
    /// The cost of its whole condition.
    package var amount: Amount
  }

  /// The cost bound of a request for a document of a block.
  package struct Block: Sendable {
    /// The pattern of its documents: `/users/{userID}`.
    package var path: String
    /// The block.
    package var match: MatchID
    /// The most expensive method.
    package var method: Method
    /// The cost of all statements for that method that can apply to such a document, in any block.
    package var amount: Amount
  }

  /// The statements, in source order.
  package private(set) var statements: [Statement] = []
  /// The reachable blocks with statements, in source order.
  package private(set) var blocks: [Block] = []

  /// Computes the bounds of rules.
  package init(of rules: Checked) {
    for index in rules.ruleset.allows.indices {
      var cost = Cost(rules)
      cost.add(AllowID(index))
      statements.append(Statement(allow: AllowID(index), amount: Amount(cost)))
    }
    for (index, match) in rules.ruleset.matches.enumerated() where !match.allows.isEmpty {
      let facts = rules.matches[index]
      guard facts.isReachable, let path = ClaimPath(facts, in: rules.database) else { continue }
      let dearest = Method.allCases.map { method in
        (method, Self.amount(of: method, at: path, in: rules))
      }.max { one, other in
        (one.1.share, one.1.expressions) < (other.1.share, other.1.expressions)
      }
      guard let dearest else { continue }
      blocks.append(
        Block(
          path: String(path.text), match: MatchID(index), method: dearest.0, amount: dearest.1))
    }
  }

  /// Returns the total cost of all statements for a method that can apply to documents at a path.
  private static func amount(
    of method: Method, at path: ClaimPath, in rules: Checked
  ) -> Amount {
    var cost = Cost(rules)
    for (index, match) in rules.ruleset.matches.enumerated() {
      let facts = rules.matches[index]
      guard facts.isReachable, path.overlaps(facts.pattern, in: rules.database) else { continue }
      for allow in match.allows where rules.methods[allow.index].contains(method) {
        cost.add(allow)
      }
    }
    return Amount(cost)
  }
}

extension CostBounds.Amount {
  fileprivate init(_ cost: Cost) {
    self.init(expressions: cost.expressions, lookups: cost.lookups)
  }

  /// The share of the limits for one document; more than 1 exceeds them.
  package var share: Double {
    max(
      Double(expressions) / Double(Limits.expressions),
      Double(lookups) / Double(Compiler.greatestLookups))
  }

}
