extension PatternParser {
  /// The most repetitions that may apply to one atom one after the other, as in `a*(?i)*(?i)*`,
  /// which bounds the depth of the tree.
  static let greatestStackOfRepetitions = 32

  /// Reads `*`, `+`, `?` or a count with its `?`, if one is next.
  mutating func parseRepetition() throws(PatternError) -> PatternSyntax.Repetition? {
    let bounds: Bounds
    switch peek {
    case "*": bounds = Bounds(minimum: 0, maximum: nil)
    case "+": bounds = Bounds(minimum: 1, maximum: nil)
    case "?": bounds = Bounds(minimum: 0, maximum: 1)
    case "{":
      guard let counts = try parseCounts() else { return nil }
      return finish(counts)
    default: return nil
    }
    index += 1
    return finish(bounds)
  }

  /// Applies a repetition that starts at `start` to the last atom.
  mutating func apply(
    _ repetition: PatternSyntax.Repetition, to items: inout Items, at start: Int
  ) throws(PatternError) {
    if items.endsInRepetition { throw error(.doubleRepetition, at: start) }
    guard let operand = items.nodes.popLast() else { throw error(.nothingToRepeat, at: start) }
    var node = syntax[operand]
    for _ in 0..<Self.greatestStackOfRepetitions {
      guard case .repetition(let inner, _) = node else { break }
      node = syntax[inner]
    }
    if case .repetition = node { throw error(.tooLarge, at: start) }
    items.nodes.append(syntax.addRepetition(of: operand, as: repetition))
  }

  private struct Bounds {
    let minimum: UInt16
    let maximum: UInt16?
  }

  private mutating func finish(_ bounds: Bounds) -> PatternSyntax.Repetition {
    let isMarked = take("?")
    return PatternSyntax.Repetition(
      minimum: bounds.minimum, maximum: bounds.maximum, isGreedy: isMarked == flags.isLazy)
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; anything else stays unread, for its `{` is an ordinary
  /// character.
  private mutating func parseCounts() throws(PatternError) -> Bounds? {
    let start = index
    index += 1
    guard let minimum = parseCount() else { return giveBack(start) }
    var maximum: Int? = minimum
    if take(",") { maximum = peek == "}" ? nil : parseCount() ?? -1 }
    guard maximum != -1, take("}") else { return giveBack(start) }
    let limit = PatternLimits.count
    if minimum > limit || (maximum ?? minimum) > limit || (maximum ?? minimum) < minimum {
      throw error(.badCount, at: start)
    }
    return Bounds(minimum: UInt16(minimum), maximum: maximum.map { UInt16($0) })
  }

  private mutating func giveBack(_ start: Int) -> Bounds? {
    index = start
    return nil
  }

  /// Reads decimal digits without superfluous zeros; every number over the limit is the same.
  private mutating func parseCount() -> Int? {
    if peek == "0", let next = peek(1), next >= "0", next <= "9" { return nil }
    var value: Int?
    while let digit = peek, digit >= "0", digit <= "9" {
      index += 1
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), PatternLimits.count + 1)
    }
    return value
  }
}
