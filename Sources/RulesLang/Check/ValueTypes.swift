/// Finds out which types the value of each expression can have at run time.
///
/// Unlike the `TypeChecker`, which repeats what Google's warns of, this never excludes a type that
/// a value can have: what an expression is expected to be does not count, only what it is made of.
struct ValueTypes {
  static func find(_ ruleset: Ruleset, _ bindings: [Binding], _ facts: [MatchFacts]) -> [TypeSet] {
    Array(repeating: .any, count: ruleset.expressions.count)
  }
}

extension Literal {
  /// The type of the constant.
  var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    }
  }
}
