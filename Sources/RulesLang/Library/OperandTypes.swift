/// The operand and result types of operators and postfix forms at run time (Docs/Language.md §7, §9): with
/// the overloads of `Builtins.table`, the types of all operations.
///
/// The table describes the evaluator; `OperatorTyping` describes the warnings of Google's checker. An
/// operation whose operands fit no row ends in an error; one whose operands fit a row may still fail because
/// of their values: an index out of range, a division by zero. A test runs every operation on a value of each
/// type against the evaluator.
public enum OperandTypes {
  /// One row: the types that each operand may have, and those of the result.
  public struct Row: Sendable {
    /// The types of each operand; the receiver of a method or index comes first.
    public var operands: [TypeSet]
    /// The result types.
    public var result: TypeSet

    /// Creates a row.
    public init(_ operands: [TypeSet], giving result: TypeSet) {
      self.operands = operands
      self.result = result
    }

    /// True if operands with these possible types may fit.
    package func mayTake(_ types: [TypeSet]) -> Bool {
      zip(operands, types).allSatisfy { !$0.isDisjoint(with: $1) }
    }

    /// True if operands of these types fit.
    public func accepts(_ types: [ValueType]) -> Bool {
      operands.count == types.count && zip(operands, types).allSatisfy { $0.contains($1) }
    }
  }

  private static let number: TypeSet = [.int, .float]
  private static let plain = TypeSet.any.subtracting(.constraint)

  /// The rows of `!`.
  public static let not = [Row([.bool], giving: .bool)]
  /// The rows of unary `-`.
  public static let negate = [
    Row([.int], giving: .int), Row([.float], giving: .float), Row([.duration], giving: .duration),
  ]
  /// The rows of `.name`.
  public static let member = [Row([[.map, .path]], giving: .any)]
  /// The rows of `[…]`.
  public static let index = [
    Row([.list, .int], giving: .any), Row([.string, .int], giving: .string),
    Row([.map, .string], giving: .any),
    Row([.path, .int], giving: .string), Row([.path, .string], giving: [.string, .path]),
  ]
  /// The rows of `[…:…]`; an omitted bound counts as null.
  public static let slice = [ValueType.list, .string, .path].map { type in
    Row([TypeSet(type), [.null, .int], [.null, .int]], giving: TypeSet(type))
  }
  /// The rows of `$(…)` in a path.
  public static let segment = [Row([[.path, .null, .int, .float, .string, .bool]], giving: .path)]

  /// The row of a key in a map literal.
  public static let key = [Row([.string], giving: .string)]

  /// Returns the rows of a binary operator; for `&&` and `||`, which absorb errors, those of operands that
  /// are evaluated.
  public static func rows(_ symbol: BinaryOperator) -> [Row] {
    switch symbol {
    case .or, .and: logic
    case .in: membership
    case .equal, .notEqual: equality
    case .less, .lessEqual, .greater, .greaterEqual: order
    case .add: sum
    case .subtract: difference
    case .multiply, .divide, .remainder: arithmetic
    }
  }

  private static let logic = [Row([.bool, .bool], giving: .bool)]
  private static let membership = [
    Row([.any, [.list, .set]], giving: .bool), Row([.string, .map], giving: .bool),
    Row([plain.subtracting(.mapDiff), .constraint], giving: .bool),
  ]
  // A constraint compares with what a field can be compared with, and with no other constraint.
  private static let equality = [
    Row([plain, plain], giving: .bool),
    Row([.constraint, plain.subtracting(.mapDiff)], giving: .bool),
    Row([plain.subtracting(.mapDiff), .constraint], giving: .bool),
  ]
  private static let ordered: TypeSet = [.int, .float, .string, .bytes, .timestamp, .duration]
  private static let order =
    [Row([number, number], giving: .bool)]
    + [ValueType.string, .bytes, .timestamp, .duration].map { type in
      Row([TypeSet(type), TypeSet(type)], giving: .bool)
    } + [Row([.constraint, ordered], giving: .bool), Row([ordered, .constraint], giving: .bool)]
  private static let arithmetic = [
    Row([.int, .int], giving: .int), Row([.float, number], giving: .float),
    Row([.int, .float], giving: .float),
  ]
  private static let times = [
    Row([.duration, .duration], giving: .duration),
    Row([.timestamp, .duration], giving: .timestamp),
  ]
  private static let sum =
    arithmetic + times + [
      Row([.string, .string], giving: .string), Row([.duration, .timestamp], giving: .timestamp),
    ]
  private static let difference =
    arithmetic + times + [Row([.timestamp, .timestamp], giving: .duration)]
}

extension Builtin.Parameter {
  /// The accepted types.
  public var types: TypeSet {
    ValueType.allCases.reduce([]) { accepts($1) ? $0.union(TypeSet($1)) : $0 }
  }
}

extension Builtin.Entry {
  /// Returns the rows for a number of arguments, without the receiver. `debug` takes any number but none.
  public func rows(count: Int) -> [OperandTypes.Row] {
    if builtin == .debug {
      return count == 0
        ? [] : [OperandTypes.Row(Array(repeating: .any, count: count), giving: .any)]
    }
    return overloads.filter { $0.count == count }.map { overload in
      OperandTypes.Row(overload.map { $0.types }, giving: result)
    }
  }
}
