/// One row of what an operator, function or method takes and returns.
///
/// A method's receiver is its first operand, as the left side is an operator's. Of the rows of a
/// form the checker keeps those whose result fits where the form stands; an operand is then
/// expected to have one of the types that the kept rows have there (Docs/Language.md §10).
struct Signature: Sendable {
  /// The types of each operand.
  var operands: [TypeList]
  /// The types of the result.
  var result: TypeList

  /// Makes a row.
  init(_ operands: [TypeList], giving result: TypeList) {
    self.operands = operands
    self.result = result
  }
}

/// What the operators take and return (Docs/Language.md §7).
enum OperatorTyping {
  private static let number: TypeList = [.int, .float]
  /// Every type; the order shows in messages about variables that are also compared.
  private static let equatable = number.union(.any)
  private static let orderable: TypeList = [
    .string, .bytes, .int, .float, .duration, .timestamp,
  ]
  /// A bound of a slice.
  private static let bound: TypeList = [.null, .int]

  /// What `$(…)` in a path takes.
  static let segment: TypeList = [.path, .null, .int, .float, .string, .bool]
  /// `!`
  static let not = [Signature([[.bool]], giving: [.bool])]
  /// Unary `-`
  static let negate = [
    Signature([number], giving: number), Signature([[.duration]], giving: [.duration]),
  ]
  /// `is`
  static let isType = [Signature([.any], giving: [.bool])]
  /// `.name`
  static let member = [Signature([[.map]], giving: .any)]
  /// `[…]`
  static let index = [
    Signature([[.string], [.int]], giving: [.string]), Signature([[.list], [.int]], giving: .any),
    Signature([[.map], [.string]], giving: .any),
    Signature([[.path], [.int, .string]], giving: .any),
  ]
  /// `[…:…]`
  static let slice = [
    Signature([[.string], bound, bound], giving: [.string]),
    Signature([[.list], bound, bound], giving: [.list]),
    Signature([[.path], bound, bound], giving: [.path]),
  ]

  /// The rows of an operator between two operands.
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
  /// The rows of a function, by the number of its arguments; nil for an unknown function.
  static func signatures(_ builtin: Builtin, count: Int) -> [Signature] {
    functionRows[Int(builtin.rawValue)].filter { $0.operands.count == count }
  }

  /// The rows of every method with this name and number of arguments, whatever the receiver.
  static func signatures(ofMethod name: Text, count: Int) -> [Signature] {
    (methodRows[name] ?? []).filter { $0.operands.count == count + 1 }
  }

  /// Whether any type has a method with this name.
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
  /// The types that fit.
  fileprivate var accepted: TypeList {
    switch self {
    case .any: .any
    case .type(.float): [.float, .int]
    case .type(let type): TypeList(type)
    }
  }
}
