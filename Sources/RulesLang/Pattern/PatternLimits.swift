/// The limits that the rules engine checks before it parses a pattern (Docs/Language.md §8).
///
/// The engine counts parentheses that no `\` precedes, wherever they are, and requires that they are
/// balanced. So it refuses `[(]` and `\Q(\E`, although they are valid RE2, and accepts `a[(]b[)]`.
enum PatternLimits {
  /// The greatest length in UTF-16 units.
  static let length = 4096
  /// The greatest number of opening parentheses.
  static let groups = 100
  /// The greatest number of parentheses open at once.
  static let depth = 20
  /// The greatest count in `{…}`.
  static let count = 1000

  /// Refuses a pattern that the rules engine would not hand to the regular expression engine.
  static func check(_ pattern: Text) throws(PatternError) {
    if pattern.unitCount > length { throw PatternError(.tooLong, at: 0) }
    var groups = 0
    var open: [Int] = []
    var isEscaped = false
    for (offset, byte) in pattern.bytes.enumerated() {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "(") {
        groups += 1
        open.append(offset)
        if groups > Self.groups { throw PatternError(.tooManyGroups, at: offset) }
        if open.count > depth { throw PatternError(.groupsTooDeep, at: offset) }
      } else if byte == UInt8(ascii: ")"), open.popLast() == nil {
        throw PatternError(.unbalancedParenthesis, at: offset)
      }
    }
    if let offset = open.last { throw PatternError(.unbalancedParenthesis, at: offset) }
  }
}
