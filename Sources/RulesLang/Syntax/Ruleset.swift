/// The version that a file declares (Docs/Language.md §1).
public enum RulesVersion: UInt8, Sendable {
  case one = 1
  case two = 2
}

/// A whole expression: a condition, the value of a `let`, or the result of a function.
///
/// Its nodes are the expressions `first...root`, and no others.
public struct Body: Hashable, Sendable {
  /// The first node that was made for this expression.
  public var first: ExprID
  /// The outermost node.
  public var root: ExprID

  /// Creates a body of the nodes `first...root`.
  public init(first: ExprID, root: ExprID) {
    self.first = first
    self.root = root
  }
}

/// A scope in which functions are declared.
public enum ScopeOwner: Hashable, Sendable {
  case file
  case service(Int)
  case match(MatchID)
}

/// A `function` declaration.
public struct Function: Sendable {
  /// One `let` of a function.
  public struct Let: Sendable {
    /// The word `let`.
    public var keyword: SourceRange
    /// The name it binds.
    public var name: Name
    /// The value.
    public var value: Body
  }

  /// The function's name.
  public var name: Name
  /// The parameters, in order.
  public var parameters: [Name]
  /// The lets, in order; each sees the ones before it.
  public var lets: [Let]
  /// The result expression.
  public var result: Body
  /// The scope in which it is declared.
  public var owner: ScopeOwner
  /// The whole declaration.
  public var range: SourceRange
}

/// One `allow` statement.
public struct Allow: Sendable {
  /// The operation words as written; unknown ones grant nothing.
  public var operations: [Name]
  /// The condition; nil grants always.
  public var condition: Body?
  /// The match block that contains the statement.
  public var match: MatchID
  /// The word `allow`, where the emulator places the statement.
  public var keyword: SourceRange
  /// The whole statement.
  public var range: SourceRange
}

/// One `match` block.
public struct Match: Sendable {
  /// The block's own part of the path pattern, without interpolations.
  public var pattern: [PathPart]
  /// The block around it.
  public var parent: MatchID?
  /// The index of the service that it belongs to.
  public var service: Int
  /// The allow statements directly inside, in order.
  public var allows: [AllowID] = []
  /// The blocks directly inside, in order.
  public var matches: [MatchID] = []
  /// The functions declared directly inside.
  public var functions: [FunctionID] = []
  /// The word `match`.
  public var keyword: SourceRange
  /// The path pattern.
  public var patternRange: SourceRange
  /// The whole block.
  public var range: SourceRange
}

/// A `service` block.
public struct Service: Sendable {
  /// The service's name; only `cloud.firestore` takes part in decisions.
  public var name: Name
  /// The blocks directly inside, in order.
  public var matches: [MatchID] = []
  /// The functions declared directly inside.
  public var functions: [FunctionID] = []
  /// The whole block.
  public var range: SourceRange
}

/// A parsed rules file: the syntax trees in flat tables.
public struct Ruleset: Sendable {
  /// The text that was parsed.
  public var source: SourceText
  /// The version in force; 1 when none is declared.
  public var version: RulesVersion = .one
  /// The functions declared outside any service.
  public var fileFunctions: [FunctionID] = []
  /// The functions that represent conditions added to the text (`Checker.extend`).
  public var addedConditions: [FunctionID] = []
  /// The services in source order.
  public var services: [Service] = []
  /// Every match block.
  public var matches: [Match] = []
  /// Every allow statement, in source order.
  public var allows: [Allow] = []
  /// Every function.
  public var functions: [Function] = []
  /// Every expression node; operands before the node that uses them.
  public var expressions = ExpressionTable()

  /// Creates an empty ruleset for a text.
  public init(source: SourceText) { self.source = source }

  // Inlinable, so that reading one node of shared rules copies nothing else of them.

  /// The node with an ID.
  @inlinable public subscript(_ id: ExprID) -> Expression { _read { yield expressions[id.index] } }
  /// The match block with an ID.
  @inlinable public subscript(_ id: MatchID) -> Match { matches[id.index] }
  /// The allow statement with an ID.
  @inlinable public subscript(_ id: AllowID) -> Allow { allows[id.index] }
  /// The function with an ID.
  @inlinable public subscript(_ id: FunctionID) -> Function { functions[id.index] }

  /// Returns the node inside any parentheses.
  @inlinable public func unparenthesized(_ id: ExprID) -> ExprID {
    var id = id
    while case .parenthesized(let inner) = self[id].kind { id = inner }
    return id
  }

  /// The name of the service whose rules decide Firestore requests.
  public static let firestoreService: Text = "cloud.firestore"
  /// The name of the other service that Google's compiler knows.
  static let storageService: Text = "firebase.storage"
}
