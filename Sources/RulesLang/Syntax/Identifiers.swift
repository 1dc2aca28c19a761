// Dense indices into the tables of one `Ruleset`. Each is a type of its own, so that an index into
// one table cannot be used on another; facts that later phases find out live in arrays beside the
// tree, indexed by these.

/// The index of an expression; the operands of an expression have smaller indices than it has.
public struct ExprID: Hashable, Comparable, Sendable {
  /// The position in `Ruleset.expressions`.
  public let raw: UInt32

  /// Creates an ID of a position.
  public init(_ raw: Int) { self.raw = UInt32(raw) }

  /// The position as an array index.
  @inlinable public var index: Int { Int(raw) }

  /// Orders by position: operands come before the expression that uses them.
  public static func < (left: ExprID, right: ExprID) -> Bool { left.raw < right.raw }
}

/// The index of a function declaration.
public struct FunctionID: Hashable, Sendable {
  /// The position in `Ruleset.functions`.
  public let raw: UInt32

  /// Creates an ID of a position.
  public init(_ raw: Int) { self.raw = UInt32(raw) }

  /// The position as an array index.
  @inlinable public var index: Int { Int(raw) }
}

/// The index of a match block.
public struct MatchID: Hashable, Sendable {
  /// The position in `Ruleset.matches`.
  public let raw: UInt32

  /// Creates an ID of a position.
  public init(_ raw: Int) { self.raw = UInt32(raw) }

  /// The position as an array index.
  @inlinable public var index: Int { Int(raw) }
}

/// The index of an allow statement.
public struct AllowID: Hashable, Sendable {
  /// The position in `Ruleset.allows`; also the order of the statements in the source.
  public let raw: UInt32

  /// Creates an ID of a position.
  public init(_ raw: Int) { self.raw = UInt32(raw) }

  /// The position as an array index.
  @inlinable public var index: Int { Int(raw) }
}
