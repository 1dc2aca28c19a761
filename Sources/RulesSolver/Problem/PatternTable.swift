package import RulesLang

/// The patterns of a problem, each compiled once.
package struct PatternTable {
  private var patterns: [Pattern] = []
  private var known: [Text: PatternID] = [:]
  /// The texts that patterns of this table and its copies have in common, as far as anybody asked.
  let words = KnownWords()

  /// Makes one without patterns.
  package init() {}

  /// The index of a pattern; nil if the text is no pattern or too large a one.
  package mutating func add(_ source: Text) -> PatternID? {
    if let id = known[source] { return id }
    return (try? Pattern(source)).map { add($0) }
  }

  /// Whether a text is a pattern, and larger than what is modelled.
  package mutating func isTooLarge(_ source: Text) -> Bool {
    if known[source] != nil { return false }
    do throws(PatternError) {
      _ = add(try Pattern(source))
      return false
    } catch {
      return error.reason == .tooLarge
    }
  }

  /// The index of a pattern that is compiled already.
  package mutating func add(_ pattern: Pattern) -> PatternID {
    if let id = known[pattern.source] { return id }
    let id = PatternID(patterns.count)
    patterns.append(pattern)
    known[pattern.source] = id
    return id
  }

  /// The pattern with an index.
  package subscript(_ id: PatternID) -> Pattern { patterns[id.index] }

  /// Whether a pattern matches a text as a whole.
  package func matches(_ id: PatternID, text: Text) -> Bool { patterns[id.index].matches(text) }

  /// The machine of a pattern; nil if it would be too large.
  package func machine(_ id: PatternID) -> PatternMachine? { PatternMachine(patterns[id.index]) }
}
