/// An identifier or member name with its place in the source.
public struct Name: Hashable, Sendable {
  /// The name as it is written.
  public var text: Text
  /// The source range.
  public var range: SourceRange

  /// Creates a name.
  public init(_ text: Text, at range: SourceRange) {
    self.text = text
    self.range = range
  }
}

/// A constant that is written out in the source.
public enum Literal: Hashable, Sendable {
  case null
  case bool(Bool)
  /// `Int64.min` occurs only directly below a unary minus (Docs/Language.md §2).
  case int(Int64)
  case float(Double)
  case string(Text)
  case bytes([UInt8])
}

/// One part of a path literal or of the pattern of a match block.
public struct PathPart: Hashable, Sendable {
  /// The kind of a part, with its content.
  public enum Kind: Hashable, Sendable {
    /// A written segment, URL-decoded.
    case literal(Text)
    /// `{name}` or `{name=*}`: one segment.
    case capture(Name)
    /// `{name=**}`: a run of segments.
    case glob(Name)
    /// `$(expression)`; only in path literals.
    case interpolation(ExprID)
  }

  /// The kind.
  public var kind: Kind
  /// The part with its slash.
  public var range: SourceRange

  /// Creates a part.
  public init(_ kind: Kind, at range: SourceRange) {
    self.kind = kind
    self.range = range
  }

  /// The name that the part binds, if it is a capture or a glob.
  public var binding: Name? {
    switch kind {
    case .capture(let name), .glob(let name): name
    case .literal, .interpolation: nil
    }
  }
}

/// The callee of a call without a receiver.
public enum Callee: Hashable, Sendable {
  /// `f(…)`.
  case plain(Name)
  /// `namespace.f(…)`.
  case namespaced(Name, Name)
}

/// One node of an expression tree.
///
/// Nodes live in `Ruleset.expressions` and refer to their operands by `ExprID`, so a tree of any
/// depth is copied and freed without recursion.
public struct Expression: Sendable {
  /// The kind of a node, with its operands.
  public enum Kind: Hashable, Sendable {
    case literal(Literal)
    case variable(Name)
    case list([ExprID])
    case map([MapEntry])
    case path([PathPart])
    case parenthesized(ExprID)
    case not(ExprID)
    case negate(ExprID)
    case binary(BinaryOperator, ExprID, ExprID)
    case isType(ExprID, TypeWord)
    case conditional(ExprID, ExprID, ExprID)
    case member(ExprID, Name)
    case index(ExprID, ExprID)
    case slice(ExprID, ExprID?, ExprID?)
    case call(Callee, [ExprID])
    case method(ExprID, Name, [ExprID])
    /// A place where the source could not be parsed; a diagnostic was reported.
    case invalid
  }

  /// One `key: value` of a map literal.
  public struct MapEntry: Hashable, Sendable {
    /// The key expression.
    public var key: ExprID
    /// The value expression.
    public var value: ExprID

    /// Creates an entry.
    public init(key: ExprID, value: ExprID) {
      self.key = key
      self.value = value
    }
  }

  /// The kind, with the operands.
  public var kind: Kind
  /// The whole text of the node, parentheses around it not included.
  public var range: SourceRange
  /// The token that an error of this node points at (Docs/Language.md §15): the operator, the method or
  /// function name, else the first token.
  public var mark: SourceRange

  /// Creates a node.
  public init(_ kind: Kind, range: SourceRange, mark: SourceRange) {
    self.kind = kind
    self.range = range
    self.mark = mark
  }
}
