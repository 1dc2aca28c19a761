import RulesLang

/// What an expression can come to, as far as lint can tell without knowing the request: never less
/// than what it really can.
struct Prospect: Hashable, Sendable {
  /// The kinds of outcome that are possible.
  struct Outcomes: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    static let truth = Outcomes(rawValue: 1)
    static let falsity = Outcomes(rawValue: 2)
    static let null = Outcomes(rawValue: 4)
    /// Any value that is neither a bool nor null.
    static let other = Outcomes(rawValue: 8)
    static let error = Outcomes(rawValue: 16)

    static let bool: Outcomes = [.truth, .falsity]
    static let value: Outcomes = [.truth, .falsity, .null, .other]
    static let any: Outcomes = [.value, .error]

    /// The outcomes that a place which wants a bool takes for an error.
    var isNotBool: Bool { !isDisjoint(with: [.null, .other, .error]) }
  }

  /// What the value is, if it is one of those that lint follows.
  enum Shape: Hashable, Sendable {
    case unknown
    case request, auth, token
    case stored, written
    case method
    case string(Text)
    case strings([Text])
  }

  /// What is possible.
  var outcomes: Outcomes
  /// What the value is, if there is one.
  var shape: Shape = .unknown

  init(_ outcomes: Outcomes, shape: Shape = .unknown) {
    self.outcomes = outcomes
    self.shape = shape
  }

  static let any = Prospect(.any)
  static let error = Prospect(.error)
  /// Some value, or an error.
  static let open = Prospect([.value, .error])
}

extension Prospect.Outcomes {
  /// `left && right`: an error on the left is absorbed by a right side that is false
  /// (Docs/Language.md §7).
  static func and(_ left: Self, _ right: Self) -> Self {
    joined(left, with: right, deciding: .falsity, passing: .truth)
  }

  /// `left || right`.
  static func or(_ left: Self, _ right: Self) -> Self {
    joined(left, with: right, deciding: .truth, passing: .falsity)
  }

  private static func joined(
    _ left: Self, with right: Self, deciding: Self, passing: Self
  ) -> Self {
    var result: Self = []
    if left.contains(deciding) { result.formUnion(deciding) }
    if left.contains(passing) {
      result.formUnion(right.intersection(.bool))
      if right.isNotBool { result.formUnion(.error) }
    }
    if left.isNotBool {
      if right.contains(deciding) { result.formUnion(deciding) }
      if right != deciding { result.formUnion(.error) }
    }
    return result
  }

  /// `!operand`.
  static func not(_ operand: Self) -> Self {
    var result: Self = []
    if operand.contains(.truth) { result.formUnion(.falsity) }
    if operand.contains(.falsity) { result.formUnion(.truth) }
    if operand.isNotBool { result.formUnion(.error) }
    return result
  }

  /// A strict operator that gives `result` where its operands have values.
  static func strict(_ operands: [Self], giving result: Self) -> Self {
    if operands.contains(.error) { return .error }
    return operands.contains { $0.contains(.error) } ? result.union(.error) : result
  }
}
