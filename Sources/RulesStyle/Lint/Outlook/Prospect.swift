import RulesLang

/// The abstract result of an expression, for an unknown request: an over-approximation of its possible
/// outcomes.
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

    /// True if some outcome is an error where a bool is required.
    var isNotBool: Bool { !isDisjoint(with: [.null, .other, .error]) }
  }

  /// The abstract value, for values whose members are known.
  enum Shape: Hashable, Sendable {
    case unknown
    case request, auth, token
    case stored, written
    case method
    case string(Text)
    case strings([Text])
  }

  /// The possible outcomes.
  var outcomes: Outcomes
  /// The abstract value, if there is a value.
  var shape: Shape = .unknown

  init(_ outcomes: Outcomes, shape: Shape = .unknown) {
    self.outcomes = outcomes
    self.shape = shape
  }

  static let any = Prospect(.any)
  static let error = Prospect(.error)
  /// The prospect of an unknown value or an error.
  static let open = Prospect([.value, .error])
}

extension Prospect.Outcomes {
  /// Returns the result of `left && right`: a right side that is false absorbs an error on the left
  /// (Docs/Language.md §7).
  static func and(_ left: Self, _ right: Self) -> Self {
    joined(left, with: right, deciding: .falsity, passing: .truth)
  }

  /// Returns the result of `left || right`.
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

  /// Returns the result of `!operand`.
  static func not(_ operand: Self) -> Self {
    var result: Self = []
    if operand.contains(.truth) { result.formUnion(.falsity) }
    if operand.contains(.falsity) { result.formUnion(.truth) }
    if operand.isNotBool { result.formUnion(.error) }
    return result
  }

  /// Returns the result of a strict operator, which is `result` if its operands have values.
  static func strict(_ operands: [Self], giving result: Self) -> Self {
    if operands.contains(.error) { return .error }
    return operands.contains { $0.contains(.error) } ? result.union(.error) : result
  }
}
