extension PatternParser {
  /// Reads what a `\` begins outside of a class.
  mutating func parseEscape(into items: inout Items) throws(PatternError) {
    switch peek(1) {
    case "A": appendAssertion(.beginText, to: &items)
    case "z": appendAssertion(.endText, to: &items)
    case "b": appendAssertion(.wordBoundary, to: &items)
    case "B": appendAssertion(.notWordBoundary, to: &items)
    case "Q": parseQuotation(into: &items)
    default:
      if let set = try parseNamedSet() {
        append(set, to: &items)
      } else {
        let point = try parseEscapedCharacter()
        appendLiteral(point, to: &items)
      }
    }
  }

  private mutating func appendAssertion(
    _ assertion: PatternSyntax.Assertion, to items: inout Items
  ) {
    index += 2
    append(assertion, to: &items)
  }

  /// Reads `\Q…\E`, or up to the end if there is no `\E`: each character is literal.
  private mutating func parseQuotation(into items: inout Items) {
    index += 2
    while !isAtEnd, !startsWith("\\E") { appendLiteral(advance().value, to: &items) }
    if !isAtEnd { index += 2 }
  }

  /// Reads `\d`, `\D`, `\s`, `\S`, `\w`, `\W`, `\p…` or `\P…` in or outside of a class, if one of
  /// them is next.
  mutating func parseNamedSet() throws(PatternError) -> CodePointSet? {
    guard peek == "\\" else { return nil }
    let positive: CodePointSet
    switch peek(1) {
    case "d", "D": positive = NamedClass.digit
    case "s", "S": positive = NamedClass.perlSpace
    case "w", "W": positive = NamedClass.word
    case "p", "P": return try parseProperty()
    default: return nil
    }
    let isNegated = points[index + 1] < "a"
    index += 2
    let set = flags.ignoresCase ? CaseFolding.folded(positive) : positive
    return isNegated ? set.complement : set
  }

  /// Reads `\pL`, `\p{Greek}`, `\p{^Greek}` or the same with `\P`, which negates once more.
  private mutating func parseProperty() throws(PatternError) -> CodePointSet {
    let start = index
    var isNegated = points[index + 1] == "P"
    index += 2
    var name: [UInt8] = []
    if take("{") {
      if take("^") { isNegated.toggle() }
      while let point = peek, point != "}" {
        name.append(UInt8(truncatingIfNeeded: min(point.value, 0xFF)))
        index += 1
      }
      if !take("}") { throw error(.unknownProperty, at: start) }
    } else if let point = peek {
      name.append(UInt8(truncatingIfNeeded: min(point.value, 0xFF)))
      index += 1
    }
    guard let property = UnicodeProperty(named: name) else {
      throw error(.unknownProperty, at: start)
    }
    let set = flags.ignoresCase ? property.foldedMembers : property.members
    return isNegated ? set.complement : set
  }

  /// Reads a `\` and what follows it as one character, in or outside of a class.
  mutating func parseEscapedCharacter() throws(PatternError) -> UInt32 {
    let start = index
    index += 1
    guard !isAtEnd else { throw error(.badEscape, at: start) }
    let point = advance()
    switch point {
    case "a": return 0x07
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "v": return 0x0B
    case "x": return try parseHexadecimal(from: start)
    case "0": return parseOctal(after: 0)
    case "1"..."7":
      // One digit alone would be a back-reference, which RE2 does not have.
      guard let next = peek, next >= "0", next <= "7" else { break }
      return parseOctal(after: point.value - 0x30)
    default:
      if point.value >= 0x80 || point == "_" || !NamedClass.word.contains(point.value) {
        return point.value
      }
    }
    throw error(.badEscape, at: start)
  }

  /// Reads up to two more octal digits.
  private mutating func parseOctal(after first: UInt32) -> UInt32 {
    var value = first
    for _ in 0..<2 {
      guard let digit = peek, digit >= "0", digit <= "7" else { break }
      index += 1
      value = value * 8 + (digit.value - 0x30)
    }
    return value
  }

  /// Reads the two digits of `\x41`, or `{…}` with any number of them.
  private mutating func parseHexadecimal(from start: Int) throws(PatternError) -> UInt32 {
    let isBraced = take("{")
    var value: UInt32 = 0
    var count = 0
    while isBraced || count < 2, let digit = peek.flatMap(Self.hexadecimalValue) {
      index += 1
      count += 1
      value = value * 16 + digit
      if value > CodePointSet.maximum { throw error(.badEscape, at: start) }
    }
    guard isBraced ? count > 0 && take("}") : count == 2 else {
      throw error(.badEscape, at: start)
    }
    return value
  }

  private static func hexadecimalValue(_ point: Point) -> UInt32? {
    switch point {
    case "0"..."9": point.value - 0x30
    case "a"..."f": point.value - 0x57
    case "A"..."F": point.value - 0x37
    default: nil
    }
  }
}
