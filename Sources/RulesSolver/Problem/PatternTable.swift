package import RulesLang

/// The patterns of a problem, each compiled once.
package struct PatternTable {
  private var patterns: [Pattern] = []
  private var known: [Text: PatternID] = [:]
  /// Cached results of string searches, shared by copies of the table.
  let words = WitnessCache()

  /// Creates a table without patterns.
  package init() {}

  /// Adds a pattern.
  ///
  /// - Returns: Its index; nil if the pattern is invalid or too large.
  package mutating func add(_ source: Text) -> PatternID? {
    if let id = known[source] { return id }
    return (try? Pattern(source)).map { add($0) }
  }

  /// True if the pattern is valid but too large.
  package mutating func isTooLarge(_ source: Text) -> Bool {
    if known[source] != nil { return false }
    do throws(PatternError) {
      _ = add(try Pattern(source))
      return false
    } catch {
      return error.reason == .tooLarge
    }
  }

  /// Adds a compiled pattern and returns its index.
  package mutating func add(_ pattern: Pattern) -> PatternID {
    if let id = known[pattern.source] { return id }
    let id = PatternID(patterns.count)
    patterns.append(pattern)
    known[pattern.source] = id
    return id
  }

  /// Returns the pattern with an index.
  package subscript(_ id: PatternID) -> Pattern { patterns[id.index] }

  /// True if a pattern matches the whole text.
  package func matches(_ id: PatternID, text: Text) -> Bool { patterns[id.index].matches(text) }

  /// Returns the automaton of a pattern; nil if it would be too large.
  package func machine(_ id: PatternID) -> PatternMachine? { PatternMachine(patterns[id.index]) }
}
