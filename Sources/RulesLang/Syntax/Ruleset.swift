/// The version that a file declares (Docs/Language.md §1).
package enum RulesVersion: UInt8, Sendable {
  case one = 1
  case two = 2
}

/// A root expression: a condition, the value of a `let`, or what a function returns.
///
/// Its nodes are the expressions `first...root`, and no others.
package struct Body: Hashable, Sendable {
  /// The first node that was made for this expression.
  package var first: ExprID
  /// The outermost node.
  package var root: ExprID

  /// Makes a body of the nodes `first...root`.
  package init(first: ExprID, root: ExprID) {
    self.first = first
    self.root = root
  }
}

/// Where functions can be declared.
package enum ScopeOwner: Hashable, Sendable {
  case file
  case service(Int)
  case match(MatchID)
}

/// A `function` declaration.
package struct Function: Sendable {
  /// One `let` of a function.
  package struct Let: Sendable {
    /// The word `let`.
    package var keyword: SourceRange
    /// The name it binds.
    package var name: Name
    /// Its value.
    package var value: Body
  }

  /// The function's name.
  package var name: Name
  /// The parameters, in order.
  package var parameters: [Name]
  /// The lets, in order; each sees the ones before it.
  package var lets: [Let]
  /// What the function returns.
  package var result: Body
  /// Where it is declared.
  package var owner: ScopeOwner
  /// The whole declaration.
  package var range: SourceRange
}

/// One `allow` statement.
package struct Allow: Sendable {
  /// The operation words as written; unknown ones grant nothing.
  package var operations: [Name]
  /// The condition; nil grants always.
  package var condition: Body?
  /// The match block that it stands in.
  package var match: MatchID
  /// The word `allow`, where the emulator places the statement.
  package var keyword: SourceRange
  /// The whole statement.
  package var range: SourceRange
}

/// One `match` block.
package struct Match: Sendable {
  /// Its own part of the path pattern, without interpolations.
  package var pattern: [PathPart]
  /// The block around it.
  package var parent: MatchID?
  /// The index of the service that it belongs to.
  package var service: Int
  /// The allow statements directly inside, in order.
  package var allows: [AllowID] = []
  /// The blocks directly inside, in order.
  package var matches: [MatchID] = []
  /// The functions declared directly inside.
  package var functions: [FunctionID] = []
  /// The word `match`.
  package var keyword: SourceRange
  /// The path pattern.
  package var patternRange: SourceRange
  /// The whole block.
  package var range: SourceRange
}

/// A `service` block.
package struct Service: Sendable {
  /// The service's name; only `cloud.firestore` takes part in decisions.
  package var name: Name
  /// The blocks directly inside, in order.
  package var matches: [MatchID] = []
  /// The functions declared directly inside.
  package var functions: [FunctionID] = []
  /// The whole block.
  package var range: SourceRange
}

/// A parsed rules file: the syntax trees in flat tables.
package struct Ruleset: Sendable {
  /// The text that was parsed.
  package var source: SourceText
  /// The version in force; 1 when none is declared.
  package var version: RulesVersion = .one
  /// The functions declared outside any service.
  package var fileFunctions: [FunctionID] = []
  /// The functions that stand for conditions which were added to the text (`Checker.extend`).
  package var addedConditions: [FunctionID] = []
  /// The services in source order.
  package var services: [Service] = []
  /// Every match block.
  package var matches: [Match] = []
  /// Every allow statement, in source order.
  package var allows: [Allow] = []
  /// Every function.
  package var functions: [Function] = []
  /// Every expression node; operands before the node that uses them.
  package var expressions: [Expression] = []

  /// Makes an empty ruleset for a text.
  package init(source: SourceText) { self.source = source }

  // Inlinable, so that reading one node of shared rules copies nothing else of them.

  /// The node with an ID.
  @inlinable package subscript(_ id: ExprID) -> Expression { expressions[id.index] }
  /// The match block with an ID.
  @inlinable package subscript(_ id: MatchID) -> Match { matches[id.index] }
  /// The allow statement with an ID.
  @inlinable package subscript(_ id: AllowID) -> Allow { allows[id.index] }
  /// The function with an ID.
  @inlinable package subscript(_ id: FunctionID) -> Function { functions[id.index] }

  /// The node below any parentheses.
  @inlinable package func unparenthesized(_ id: ExprID) -> ExprID {
    var id = id
    while case .parenthesized(let inner) = self[id].kind { id = inner }
    return id
  }

  /// The name of the service whose rules decide Firestore requests.
  package static let firestoreService: Text = "cloud.firestore"
  /// The name of the other service that Google's compiler knows.
  static let storageService: Text = "firebase.storage"
}
