extension PatternParser {
  /// Reads a class; the next code point is `[`.
  mutating func parseClass() throws(PatternError) -> CodePointSet {
    let start = index
    index += 1
    let isNegated = take("^")
    var intervals: [CodePointSet.Interval] = []
    var isFirst = true
    while isFirst || peek != "]" {
      isFirst = false
      guard !isAtEnd else { throw error(.unclosedClass, at: start) }
      if let set = try parsePosixClass() {
        intervals.append(contentsOf: set.intervals)
      } else if let set = try parseNamedSet() {
        intervals.append(contentsOf: set.intervals)
      } else {
        intervals.append(contentsOf: try parseRange(in: start).intervals)
      }
    }
    index += 1
    let set = CodePointSet(intervals)
    return isNegated ? set.complement : set
  }

  /// Reads one character of a class or a range of them. A `-` just before the `]` is a character.
  private mutating func parseRange(in classStart: Int) throws(PatternError) -> CodePointSet {
    let start = index
    let lower = try parseClassCharacter(in: classStart)
    var upper = lower
    if peek == "-", let next = peek(1), next != "]" {
      index += 1
      upper = try parseClassCharacter(in: classStart)
      if upper < lower { throw error(.badRange, at: start) }
    }
    let set = CodePointSet(from: lower, through: upper)
    return flags.ignoresCase ? CaseFolding.folded(set) : set
  }

  private mutating func parseClassCharacter(in classStart: Int) throws(PatternError) -> UInt32 {
    if isAtEnd { throw error(.unclosedClass, at: classStart) }
    return peek == "\\" ? try parseEscapedCharacter() : advance().value
  }

  /// Reads `[:name:]` or `[:^name:]`, if it is next. Without any `:]` later in the pattern the
  /// bracket is an ordinary character; that `[:]` is taken for a name is RE2/J's doing.
  private mutating func parsePosixClass() throws(PatternError) -> CodePointSet? {
    guard startsWith("[:") else { return nil }
    let start = index
    var end = index + 1
    while end + 1 < points.count, !(points[end] == ":" && points[end + 1] == "]") { end += 1 }
    guard end + 1 < points.count else { return nil }
    var nameStart = min(start + 2, end)
    let isNegated = nameStart < end && points[nameStart] == "^"
    if isNegated { nameStart += 1 }
    guard let named = NamedClass.posix(points[nameStart..<end].map { $0.value }) else {
      throw error(.unknownNamedClass, at: start)
    }
    index = end + 2
    let set = flags.ignoresCase ? CaseFolding.folded(named) : named
    return isNegated ? set.complement : set
  }
}
