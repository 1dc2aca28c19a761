/// A compiled regular expression: what `matches`, `split` and `replace` take (Docs/Language.md §8).
///
/// RE2 as the official emulator has it: no look-around, no back-references, and no pattern takes
/// more than linear time to decide or to find the next match. Immutable, so one pattern may serve
/// many evaluations at once.
public struct Pattern: Sendable {
  /// The pattern as it was written.
  public let source: Text
  /// The names of the groups by number, nil where a group has none; index 0 is the whole match.
  let groupNames: [[UInt8]?]
  /// The instructions.
  let program: PatternProgram
  /// The instructions as an automaton, unless it would be too large.
  let automaton: PatternAutomaton?

  /// Compiles a pattern: some ten microseconds for those that people write, some ten milliseconds
  /// for the worst.
  public init(_ source: Text) throws(PatternError) {
    try self.init(source, serving: .max)
  }

  /// Compiles a pattern for texts of a total size; for small ones the automaton is not built, because
  /// simulating the program is faster.
  package init(_ source: Text, serving bytes: Int) throws(PatternError) {
    let syntax = try Pattern.syntax(of: source)
    self.source = source
    groupNames = syntax.groupNames
    program = try PatternProgram(syntax)
    automaton = bytes < Self.leastService ? nil : PatternAutomaton(program)
  }

  private static let leastService = 256

  /// Compiles a pattern for texts of a total size, or returns an equal one among `known`, which are compiled
  /// for short texts.
  package init(
    _ source: Text, serving bytes: Int, among known: [Pattern]
  ) throws(PatternError) {
    if bytes < Self.leastService, let same = known.first(where: { $0.source == source }) {
      self = same
    } else {
      try self.init(source, serving: bytes)
    }
  }

  /// Returns the syntax tree of a pattern, for static analysis.
  public static func syntax(of source: Text) throws(PatternError) -> PatternSyntax {
    try PatternParser.parse(source)
  }

  /// The number of capturing groups.
  public var groupCount: Int { program.groupCount }

  /// True if the pattern matches the whole text: the method `matches`. O(code points), for a few
  /// patterns with a factor of their size.
  public func matches(_ text: Text) -> Bool {
    automaton?.matches(text, over: program.alphabet) ?? program.simulate(text)
  }

  /// The pieces of a text between the matches: the method `split`.
  ///
  /// An empty match at the start leaves an empty piece before it, empty pieces at the end are
  /// dropped, and one piece is left at least. Each search takes linear time; where many fail late,
  /// as those of `a.*b|a` do, all together take quadratic time, as in the emulator.
  public func split(_ text: Text) -> [Text] {
    var pieces: [Text] = []
    var end = 0
    var matches = PatternMatches(self, in: text, tracking: [])
    while let match = matches.next() {
      pieces.append(text.slice(bytes: end..<match[0]))
      end = match[1]
    }
    pieces.append(text.slice(bytes: end..<text.bytes.count))
    while pieces.count > 1, pieces[pieces.count - 1].isEmpty { pieces.removeLast() }
    return pieces
  }

  /// The text with a template in the place of each match: the method `replace`.
  ///
  /// A template that names a missing group is an error if there is any match [choice]. Takes as
  /// long as `split`.
  public func replace(_ text: Text, with template: Text) throws(TemplateError) -> Text {
    let parsed = ReplacementTemplate(template, for: self)
    var result = Text()
    var end = 0
    var matches = PatternMatches(self, in: text, tracking: parsed.groups)
    while let match = matches.next() {
      if let error = parsed.error { throw error }
      result.append(text.slice(bytes: end..<match[0]))
      parsed.append(match, in: text, to: &result)
      guard result.bytes.count <= Text.maximumSize else {
        throw TemplateError(reason: .resultTooLarge, offset: 0)
      }
      end = match[1]
    }
    result.append(text.slice(bytes: end..<text.bytes.count))
    return result
  }
}

/// The matches in a text, one after the other (Docs/Language.md §8).
///
/// After an empty match the search goes on behind the next code point; the emulator goes on behind
/// the next UTF-16 unit and so splits surrogate pairs. [choice]
struct PatternMatches {
  private var search: PatternSearch
  private let bytes: [UInt8]
  /// The byte offset where the next search begins; nil at the end.
  private var place: Int? = 0

  /// Starts at the beginning of a text.
  init(_ pattern: Pattern, in text: Text, tracking groups: [Int]) {
    bytes = text.bytes
    search = PatternSearch(pattern.program, in: bytes, tracking: groups)
  }

  /// The next match: its start and end, then those of the tracked groups, as byte offsets; -1 where
  /// a group took no part.
  mutating func next() -> [Int]? {
    guard let start = place, search.find(from: start) else { return nil }
    let match = search.found.map { $0 == PatternSearch.unset ? -1 : Int($0) }
    var end = match[1]
    if match[0] == end {
      if end < bytes.count { _ = bytes.codePoint(at: &end) } else { end += 1 }
    }
    place = end <= bytes.count ? end : nil
    return match
  }
}

extension Text {
  /// Returns the text between two byte offsets.
  ///
  /// - Requires: Both are boundaries of code points.
  func slice(bytes range: Range<Int>) -> Text { Text(wellFormed: Array(bytes[range])) }
}
