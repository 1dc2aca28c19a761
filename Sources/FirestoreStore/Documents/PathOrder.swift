import RulesEval
import RulesLang

// The order of names (Docs/Emulator.md, Queries): lexicographic by segments, IDs of collections by their
// bytes. Numeric IDs of documents come first, by number: `__id7__` before `__id10__` before `a`.

extension Text {
  /// True if the ID of one document precedes that of another.
  static func documentPrecedes(_ one: Text, _ other: Text) -> Bool {
    if one.isReserved || other.isReserved {
      switch (one.numericID, other.numericID) {
      case (.some(let left), .some(let right)): return left < right
      case (.some, .none): return true
      case (.none, .some): return false
      case (.none, .none): break
      }
    }
    return precedesByCodePoint(one, other)
  }
}

extension DocumentPath {
  /// True if one path precedes another.
  static func precedes(_ one: DocumentPath, _ other: DocumentPath) -> Bool {
    precedes(one.segments, other.segments)
  }

  /// True if the path of some segments precedes that of others.
  static func precedes(_ one: [Text], _ other: [Text]) -> Bool {
    for place in 0..<min(one.count, other.count) where one[place] != other[place] {
      return place.isMultiple(of: 2)
        ? Text.precedesByCodePoint(one[place], other[place])
        : Text.documentPrecedes(one[place], other[place])
    }
    return one.count < other.count
  }
}
