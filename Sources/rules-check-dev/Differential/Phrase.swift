import RulesLang

/// The text of an expression with its precedence, for combining expressions with as few parentheses as the
/// grammar needs (Docs/Language.md §3).
struct Phrase {
  /// The expression.
  var text: String
  /// The precedence of its outermost operator; see the constants.
  var level: Int

  /// The precedence of a conditional.
  static let conditional = 0
  /// The precedence of `!x` and `-x`, and of numbers and paths, which a `.` behind would change.
  static let unary = 9
  /// The precedence of operands of members, indices and calls.
  static let postfix = 10

  /// Creates an expression that a `.` may follow.
  init(_ text: String) {
    self.text = text
    level = Self.postfix
  }

  /// Creates an expression with an outermost operator.
  init(_ text: String, level: Int) {
    self.text = text
    self.level = level
  }

  /// Makes a path literal: a slash behind it would continue it.
  static func path(_ text: String) -> Phrase { Phrase(text, level: unary) }

  /// Returns the text as an operand that needs at least a precedence.
  func held(_ wanted: Int) -> String { level >= wanted ? text : "(\(text))" }

  /// Combines two operands by an operator.
  static func binary(_ left: Phrase, _ op: BinaryOperator, _ right: Phrase) -> Phrase {
    let level = op.precedence
    if op == .divide {
      return Phrase("\(left.apart(level)) / \(right.apart(level + 1))", level: level)
    }
    return Phrase("\(left.held(level)) \(op.symbol) \(right.held(level + 1))", level: level)
  }

  /// Returns the text as an operand of a division: a path or a map beside the sign needs parentheses.
  private func apart(_ wanted: Int) -> String {
    text.contains("/") || text.hasPrefix("{") ? "(\(text))" : held(wanted)
  }

  /// Returns a type test.
  static func isType(_ operand: Phrase, _ word: TypeWord) -> Phrase {
    let level = BinaryOperator.isPrecedence
    return Phrase("\(operand.held(level)) is \(word.spelling)", level: level)
  }

  /// The expression in unnecessary parentheses.
  var wrapped: Phrase { Phrase("(\(text))") }
}
