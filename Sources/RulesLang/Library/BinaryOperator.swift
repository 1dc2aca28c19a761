/// An operator between two operands.
public enum BinaryOperator: UInt8, CaseIterable, Sendable {
  case or, and, `in`
  case equal, notEqual
  case less, lessEqual, greater, greaterEqual
  case add, subtract, multiply, divide, remainder

  /// The operator as it is written.
  public var symbol: String {
    switch self {
    case .or: "||"
    case .and: "&&"
    case .in: "in"
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessEqual: "<="
    case .greater: ">"
    case .greaterEqual: ">="
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }

  /// The precedence of the operator, from 1 (loosest) to 8 (Docs/Language.md §3).
  ///
  /// The order is the engine's, not the documentation's: `in` is looser than `==`.
  public var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .in: 3
    case .equal, .notEqual: 5
    case .less, .lessEqual, .greater, .greaterEqual: 6
    case .add, .subtract: 7
    case .multiply, .divide, .remainder: 8
    }
  }

  /// The precedence of the suffix `is TYPE`, between `in` and `==`.
  public static let isPrecedence = 4
}
