import RulesLang

/// The text of an expression with how tightly it holds together, so that it can be put into another
/// one with as few parentheses as the grammar needs (Docs/Language.md §3).
struct Phrase {
  /// The expression.
  var text: String
  /// The precedence of its outermost operator; see the constants.
  var level: Int

  /// A conditional.
  static let conditional = 0
  /// `!x`, `-x`; also numbers and paths, which a `.` behind would change.
  static let unary = 9
  /// What a member, index or call may follow.
  static let postfix = 10

  /// An expression that a `.` may follow.
  init(_ text: String) {
    self.text = text
    level = Self.postfix
  }

  /// An expression with an outermost operator.
  init(_ text: String, level: Int) {
    self.text = text
    self.level = level
  }

  /// A path literal: a slash behind it would go on with it.
  static func path(_ text: String) -> Phrase { Phrase(text, level: unary) }

  /// The text where at least a precedence is asked for.
  func held(_ wanted: Int) -> String { level >= wanted ? text : "(\(text))" }

  /// Two operands of an operator.
  static func binary(_ left: Phrase, _ op: BinaryOperator, _ right: Phrase) -> Phrase {
    let level = op.precedence
    if op == .divide {
      return Phrase("\(left.apart(level)) / \(right.apart(level + 1))", level: level)
    }
    return Phrase("\(left.held(level)) \(op.symbol) \(right.held(level + 1))", level: level)
  }

  /// The text beside a division sign, which a path or a map would take for its own.
  private func apart(_ wanted: Int) -> String {
    text.contains("/") || text.hasPrefix("{") ? "(\(text))" : held(wanted)
  }

  /// A test of the type.
  static func isType(_ operand: Phrase, _ word: TypeWord) -> Phrase {
    let level = BinaryOperator.isPrecedence
    return Phrase("\(operand.held(level)) is \(word.spelling)", level: level)
  }

  /// The expression in parentheses that nobody needs.
  var wrapped: Phrase { Phrase("(\(text))") }
}
