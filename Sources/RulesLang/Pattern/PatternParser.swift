// Grammar (RE2 as the emulator accepts it; every quirk below was measured):
//
//   alternation   = concatenation { "|" concatenation }
//   concatenation = { item }
//   item          = atom | repetition | "(?" flags ")" | "\Q" { any } [ "\E" ]
//   repetition    = ( "*" | "+" | "?" | "{" n [ "," [ m ] ] "}" ) [ "?" ]
//   atom          = "." | "^" | "$" | class | escape | group | any other code point
//   group         = "(" [ "?:" | "?" flags ":" | "?P<" name ">" | "?<" name ">" ] alternation ")"
//
// A repetition applies to the last atom of its concatenation, even across flags: `a(?i)*` is `a*`.
// A `{` that begins no count is an ordinary character, but no repetition may follow it directly.
// Groups nest at most 20 deep (`PatternLimits`), so descending recursively is safe.

/// Reads a pattern into its tree.
struct PatternParser {
  /// A code point of the pattern, so that the parser can write it as a literal: `case "*"`.
  struct Point: Hashable, Comparable, ExpressibleByUnicodeScalarLiteral {
    /// The code point; a lone surrogate is one too.
    let value: UInt32

    /// Creates the point of a code point.
    init(_ value: UInt32) { self.value = value }

    /// Creates the point of a literal.
    init(unicodeScalarLiteral scalar: Unicode.Scalar) { value = scalar.value }

    /// Orders by code point.
    static func < (left: Point, right: Point) -> Bool { left.value < right.value }
  }

  /// The flags in force at a place.
  struct Flags: Hashable {
    /// `i`: letters also match their case variants.
    var ignoresCase = false
    /// `m`: `^` and `$` match at line feeds too.
    var isMultiline = false
    /// `s`: `.` matches a line feed.
    var dotMatchesLineFeed = false
    /// `U`: a plain repetition is lazy and one with `?` is greedy.
    var isLazy = false
  }

  /// One concatenation while it is read.
  struct Items {
    /// The atoms so far.
    var nodes: [PatternSyntax.NodeID] = []
    /// True if a repetition here would apply to a repetition (or to a lone `{`).
    var endsInRepetition = false
  }

  /// The code points of the pattern.
  let points: [Point]
  /// The index of the next code point.
  var index = 0
  /// The flags in force.
  var flags = Flags()
  /// The tree so far.
  var syntax = PatternSyntax()
  /// The numbers of the sets in the tree.
  var knownSets: [CodePointSet: PatternSyntax.SetID] = [:]

  private init(_ pattern: Text) {
    var points: [Point] = []
    for point in pattern.codePoints { points.append(Point(point)) }
    self.points = points
  }

  /// Reads a pattern. O(length) apart from classes of many ranges.
  static func parse(_ pattern: Text) throws(PatternError) -> PatternSyntax {
    try PatternLimits.check(pattern)
    var parser = PatternParser(pattern)
    parser.syntax.root = try parser.parseAlternation()
    if !parser.isAtEnd { throw parser.error(.unbalancedParenthesis, at: parser.index) }
    return parser.syntax
  }

  /// Reads alternatives up to the end or to a `)`, which stays unread.
  mutating func parseAlternation() throws(PatternError) -> PatternSyntax.NodeID {
    var alternatives: [PatternSyntax.NodeID] = []
    repeat {
      var items = Items()
      while let next = peek, next != "|", next != ")" { try parseItem(into: &items) }
      alternatives.append(syntax.addConcatenation(items.nodes))
    } while take("|")
    return syntax.addAlternation(alternatives)
  }

  private mutating func parseItem(into items: inout Items) throws(PatternError) {
    let start = index
    if let repetition = try parseRepetition() {
      try apply(repetition, to: &items, at: start)
      items.endsInRepetition = true
      return
    }
    let isLoneBrace = peek == "{"
    switch peek {
    case "(": try parseGroup(into: &items)
    case "\\": try parseEscape(into: &items)
    case "[":
      let set = try parseClass()
      append(set, to: &items)
    default: parseCharacter(into: &items)
    }
    items.endsInRepetition = isLoneBrace
  }

  private mutating func parseCharacter(into items: inout Items) {
    let point = advance()
    switch point {
    case ".":
      let lineFeed = CodePointSet(0x0A)
      append(flags.dotMatchesLineFeed ? .all : lineFeed.complement, to: &items)
    case "^": append(flags.isMultiline ? .beginLine : .beginText, to: &items)
    case "$": append(flags.isMultiline ? .endLine : .endText, to: &items)
    default: appendLiteral(point.value, to: &items)
    }
  }
}

extension PatternParser {
  /// Adds an atom that matches one code point, in the case variants that the flags allow.
  mutating func appendLiteral(_ point: UInt32, to items: inout Items) {
    let set = flags.ignoresCase ? CaseFolding.variants(of: point) : CodePointSet(point)
    append(set, to: &items)
  }

  /// Adds an atom that matches a member of a set.
  mutating func append(_ set: CodePointSet, to items: inout Items) {
    items.nodes.append(syntax.add(set, known: &knownSets))
  }

  /// Adds an assertion.
  mutating func append(_ assertion: PatternSyntax.Assertion, to items: inout Items) {
    items.nodes.append(syntax.add(.assertion(assertion)))
  }

  /// True if everything was read.
  var isAtEnd: Bool { index == points.count }

  /// The next code point, or nil at the end.
  var peek: Point? { peek(0) }

  /// The code point `distance` after the next, or nil past the end.
  func peek(_ distance: Int) -> Point? {
    index + distance < points.count ? points[index + distance] : nil
  }

  /// Reads the next code point; the caller knows that there is one.
  mutating func advance() -> Point {
    index += 1
    return points[index - 1]
  }

  /// Reads the next code point if it is `expected`.
  mutating func take(_ expected: Point) -> Bool {
    guard peek == expected else { return false }
    index += 1
    return true
  }

  /// True if the next code points are those of an ASCII string.
  func startsWith(_ expected: StaticString) -> Bool {
    expected.withUTF8Buffer { bytes in
      bytes.count <= points.count - index
        && bytes.indices.allSatisfy { points[index + $0].value == bytes[$0] }
    }
  }

  /// An error at the code point with a given index.
  func error(_ reason: PatternError.Reason, at place: Int) -> PatternError {
    var before = Text()
    for point in points[..<place] { before.append(point.value) }
    return PatternError(reason, at: before.bytes.count)
  }
}
