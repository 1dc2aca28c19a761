import RulesLang

/// The patterns of a problem, each compiled once.
struct PatternTable {
  private var patterns: [Pattern] = []
  private var known: [Text: PatternID] = [:]

  /// What every segment of a document's path matches, compiled once for all problems.
  private static let segment = try? Pattern("[^/]+")

  /// The index of the pattern of segments.
  mutating func addSegment() -> PatternID? { Self.segment.map { add($0) } }

  /// The index of a pattern; nil if the text is no pattern or too large a one.
  mutating func add(_ source: Text) -> PatternID? {
    if let id = known[source] { return id }
    return (try? Pattern(source)).map { add($0) }
  }

  /// Whether a text is a pattern, and larger than what is modelled.
  mutating func isTooLarge(_ source: Text) -> Bool {
    if known[source] != nil { return false }
    do throws(PatternError) {
      _ = add(try Pattern(source))
      return false
    } catch {
      return error.reason == .tooLarge
    }
  }

  private mutating func add(_ pattern: Pattern) -> PatternID {
    if let id = known[pattern.source] { return id }
    let id = PatternID(patterns.count)
    patterns.append(pattern)
    known[pattern.source] = id
    return id
  }

  /// The pattern with an index.
  subscript(_ id: PatternID) -> Pattern { patterns[id.index] }

  /// Whether a pattern matches a text as a whole.
  func matches(_ id: PatternID, _ text: Text) -> Bool { patterns[id.index].matches(text) }

  /// The machine of a pattern; nil if it would be too large.
  func machine(_ id: PatternID) -> PatternMachine? { PatternMachine(patterns[id.index]) }
}
