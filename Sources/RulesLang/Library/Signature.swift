/// One row of operand and result types of an operator, function or method, for the type checker.
///
/// A method's receiver is its first operand, like an operator's left side. The checker keeps the rows of a
/// form whose result fits its context; an operand is then expected to have one of the types that the kept
/// rows have for it (Docs/Language.md §10).
struct Signature: Sendable {
  /// The types of each operand.
  var operands: [TypeList]
  /// The types of the result.
  var result: TypeList

  /// Creates a row.
  init(_ operands: [TypeList], giving result: TypeList) {
    self.operands = operands
    self.result = result
  }
}

/// The signatures of the operators (Docs/Language.md §7).
enum OperatorTyping {
  private static let number: TypeList = [.int, .float]
  /// The operand types of `==`: every type; the order shows in messages about variables that are also
  /// compared.
  private static let equatable = number.union(.any)
  private static let orderable: TypeList = [
    .string, .bytes, .int, .float, .duration, .timestamp,
  ]
  /// The types of a bound of a slice.
  private static let bound: TypeList = [.null, .int]

  /// The types of `$(…)` in a path.
  static let segment: TypeList = [.path, .null, .int, .float, .string, .bool]
  /// The signature of `!`.
  static let not = [Signature([[.bool]], giving: [.bool])]
  /// The signatures of unary `-`.
  static let negate = [
    Signature([number], giving: number), Signature([[.duration]], giving: [.duration]),
  ]
  /// The signature of `is`.
  static let isType = [Signature([.any], giving: [.bool])]
  /// The signature of `.name`.
  static let member = [Signature([[.map]], giving: .any)]
  /// The signatures of `[…]`.
  static let index = [
    Signature([[.string], [.int]], giving: [.string]), Signature([[.list], [.int]], giving: .any),
    Signature([[.map], [.string]], giving: .any),
    Signature([[.path], [.int, .string]], giving: .any),
  ]
  /// The signatures of `[…:…]`.
  static let slice = [
    Signature([[.string], bound, bound], giving: [.string]),
    Signature([[.list], bound, bound], giving: [.list]),
    Signature([[.path], bound, bound], giving: [.path]),
  ]

  /// Returns the signatures of a binary operator.
  static func signatures(_ symbol: BinaryOperator) -> [Signature] {
    switch symbol {
    case .or, .and: logic
    case .in: membership
    case .equal, .notEqual: equality
    case .less, .lessEqual, .greater, .greaterEqual: ordering
    case .add: addition
    case .subtract: subtraction
    case .multiply, .divide, .remainder: arithmetic
    }
  }

  private static let logic = [Signature([[.bool], [.bool]], giving: [.bool])]
  private static let membership = [
    Signature([.any, [.list, .set, .map, .constraint]], giving: [.bool])
  ]
  private static let equality = [Signature([equatable, equatable], giving: [.bool])]
  // A comparison warns of nothing: a constraint of a query compares with every type.
  private static let ordering = [
    Signature(
      [orderable.union([.constraint]).union(.any), orderable.union(.any)], giving: [.bool])
  ]
  private static let arithmetic = [Signature([number, number], giving: number)]
  private static let addition =
    arithmetic + [
      Signature([[.string], [.string]], giving: [.string]),
      Signature([[.duration], [.duration]], giving: [.duration]),
      Signature([[.duration], [.timestamp]], giving: [.timestamp]),
      Signature([[.timestamp], [.duration]], giving: [.timestamp]),
    ]
  private static let subtraction =
    arithmetic + [
      Signature([[.duration], [.duration]], giving: [.duration]),
      Signature([[.timestamp], [.duration]], giving: [.timestamp]),
      Signature([[.timestamp], [.timestamp]], giving: [.duration]),
    ]
}

extension Builtins {
  /// Returns the signatures of a function with a number of arguments; nil for an unknown function.
  static func signatures(_ builtin: Builtin, count: Int) -> [Signature] {
    functionRows[Int(builtin.rawValue)].filter { $0.operands.count == count }
  }

  /// Returns the signatures of every method with this name and number of arguments, for any receiver.
  static func signatures(ofMethod name: Text, count: Int) -> [Signature] {
    (methodRows[name] ?? []).filter { $0.operands.count == count + 1 }
  }

  /// True if any type has a method with this name.
  static func hasMethod(_ name: Text) -> Bool { methodRows[name] != nil }

  /// The names of all methods, for did-you-mean.
  static var methodNames: [String] { methodRows.keys.map { String($0) }.sorted() }

  private static let functionRows: [[Signature]] = table.map { $0.signatureRows }

  private static let methodRows: [Text: [Signature]] = {
    var rows: [Text: [Signature]] = [:]
    // Google's checker does not know the one method of constraints.
    for entry in table where entry.receiver != nil && entry.receiver != .constraint {
      rows[entry.name, default: []] += entry.signatureRows
    }
    return rows
  }()
}

extension Builtin.Entry {
  /// One row for each parameter list.
  fileprivate var signatureRows: [Signature] {
    let receivers = receiver.map { [TypeList($0)] } ?? []
    return overloads.map {
      Signature(receivers + $0.map { $0.accepted }, giving: TypeList(inferredResult))
    }
  }
}

extension Builtin.Parameter {
  /// The accepted types.
  fileprivate var accepted: TypeList {
    switch self {
    case .any: .any
    case .type(.float): [.float, .int]
    case .type(let type): TypeList(type)
    }
  }
}
