/// What an argument that is written out has to be, where most texts or numbers are an error each time
/// (Docs/Language.md §8). What the compiler itself refuses is not here.
struct LiteralRule: Sendable {
  /// The function or method.
  var builtin: Builtin
  /// Which argument, counted from 0.
  var place: Int
  /// Whether it can be right.
  var accepts: @Sendable (Literal) -> Bool
  /// What it can be, for people.
  var help: String

  /// Every such rule.
  static let all: [LiteralRule] = [
    LiteralRule(
      builtin: .durationValue, place: 1,
      accepts: { $0.isText { ["w", "d", "h", "m", "s", "ms", "ns"].contains($0) } },
      help: "the units are `w`, `d`, `h`, `m`, `s`, `ms` and `ns`"),
    LiteralRule(
      builtin: .timestampValue, place: 0,
      accepts: { $0.isText { $0.bytes.contains(UInt8(ascii: "T")) } },
      help: "a time is written like `2024-12-31T23:59:59Z`"),
    LiteralRule(
      builtin: .timestampDate, place: 0, accepts: { $0.isNumber(in: 1...9999) },
      help: "years are 1 to 9999"),
    LiteralRule(
      builtin: .timestampDate, place: 1, accepts: { $0.isNumber(in: 1...12) },
      help: "months are 1 to 12"),
    LiteralRule(
      builtin: .timestampDate, place: 2, accepts: { $0.isNumber(in: 1...31) },
      help: "days are 1 to 31"),
    LiteralRule(
      builtin: .latlngValue, place: 0, accepts: { $0.isNumber(in: -90...90) },
      help: "latitudes are -90 to 90"),
    LiteralRule(
      builtin: .latlngValue, place: 1, accepts: { $0.isNumber(in: -180...180) },
      help: "longitudes are -180 to 180"),
    LiteralRule(
      builtin: .stringReplace, place: 0,
      accepts: { $0.isText { (try? Pattern.syntax(of: $0)) != nil } },
      help: "it is a regular expression (RE2)"),
  ]
}

extension Literal {
  /// Whether it is a text that fits, or no text at all.
  fileprivate func isText(_ fits: (Text) -> Bool) -> Bool {
    guard case .string(let text) = self else { return true }
    return fits(text)
  }

  /// Whether it is a number in a range, or no number at all.
  fileprivate func isNumber(in range: ClosedRange<Double>) -> Bool {
    switch self {
    case .int(let number): range.contains(Double(number))
    case .float(let number): range.contains(number)
    case .null, .bool, .string, .bytes: true
    }
  }
}

extension Ruleset {
  /// The constant that an expression is, parentheses and a minus included.
  func literal(_ id: ExprID) -> Literal? {
    switch self[unparenthesized(id)].kind {
    case .literal(let literal): return literal
    case .negate(let operand):
      switch literal(operand) {
      case .int(let number): return .int(0 &- number)
      case .float(let number): return .float(-number)
      case .null, .bool, .string, .bytes, nil: return nil
      }
    case .variable, .list, .map, .path, .parenthesized, .not, .binary, .isType, .conditional,
      .member, .index, .slice, .call, .method, .invalid:
      return nil
    }
  }
}
