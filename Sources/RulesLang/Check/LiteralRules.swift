/// Requirements of literal arguments, for built-ins that fail on most strings or numbers (Docs/Language.md
/// §8). Requirements that the compiler itself checks are not included.
package enum LiteralRules {
  /// Returns a sentence about the values that the argument at an index may have; nil if the literal is one of
  /// them.
  package static func help(for literal: Literal, at place: Int, of builtin: Builtin) -> String? {
    switch (builtin, place, literal) {
    case (.durationValue, 1, .string(let unit)):
      let units: [Text] = ["w", "d", "h", "m", "s", "ms", "ns"]
      return units.contains(unit) ? nil : "the units are `w`, `d`, `h`, `m`, `s`, `ms` and `ns`"
    case (.timestampValue, 0, .string(let text)):
      return text.bytes.contains(UInt8(ascii: "T"))
        ? nil : "a time is written like `2024-12-31T23:59:59Z`"
    case (.stringReplace, 0, .string(let pattern)):
      return (try? Pattern.syntax(of: pattern)) == nil ? "it is a regular expression (RE2)" : nil
    case (.timestampDate, 0, _): return literal.help(from: 1, to: 9999, "years are 1 to 9999")
    case (.timestampDate, 1, _): return literal.help(from: 1, to: 12, "months are 1 to 12")
    case (.timestampDate, 2, _): return literal.help(from: 1, to: 31, "days are 1 to 31")
    case (.latlngValue, 0, _): return literal.help(from: -90, to: 90, "latitudes are -90 to 90")
    case (.latlngValue, 1, _):
      return literal.help(from: -180, to: 180, "longitudes are -180 to 180")
    default: return nil
    }
  }
}

extension Literal {
  /// Returns the sentence if it is a number outside of a range.
  fileprivate func help(from low: Double, to high: Double, _ sentence: String) -> String? {
    switch self {
    case .int(let number): Double(number) < low || Double(number) > high ? sentence : nil
    case .float(let number): number < low || number > high ? sentence : nil
    case .null, .bool, .string, .bytes: nil
    }
  }
}

extension Ruleset {
  /// Returns the literal that an expression is, with or without parentheses and a minus.
  package func literal(_ id: ExprID) -> Literal? {
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
