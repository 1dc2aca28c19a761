import RulesEncoding
import RulesEval
package import RulesLang

/// The greatest cost that requests can have, whatever they are: every part of every condition counted once,
/// and of a conditional the dearer side.
///
/// Sound: there are no loops, so no request costs more. Not complete: what a bound counts need not be
/// possible in one request.
package struct CostBounds: Sendable {
  /// What is spent.
  package struct Amount: Sendable {
    /// The expressions that are evaluated.
    package var expressions: Int
    /// The calls of `get`, `exists`, `getAfter` and `existsAfter`.
    package var lookups: Int
  }

  /// What a statement can cost.
  package struct Statement: Sendable {
    /// The statement.
    package var allow: AllowID
    /// All of its condition.
    package var amount: Amount
  }

  /// What a request for a document can cost that a block is for.
  package struct Block: Sendable {
    /// The pattern of its documents: `/users/{userID}`.
    package var path: String
    /// The block.
    package var match: MatchID
    /// The method for which it is the most.
    package var method: Method
    /// All statements for that method that can apply to such a document, of this block and of others.
    package var amount: Amount
  }

  /// The statements, in the order of the text.
  package private(set) var statements: [Statement] = []
  /// The blocks with statements whose requests can be made, in the order of the text.
  package private(set) var blocks: [Block] = []

  /// Counts the rules.
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

  /// What all statements for a method cost together that can apply to documents at a path.
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

  /// How much of the limits for one document this is, from 0; above 1 it is too much.
  package var share: Double {
    max(Double(expressions) / Double(Limits.expressions), Double(lookups) / Self.lookupLimit)
  }

  /// How many lookups a request for one document may make.
  private static let lookupLimit = 10.0
}
