import RulesEval
package import RulesLang

// Of the texts that a pattern begins and ends with it is known where they stand in a path: of many blocks few
// can be for the documents of a row.

extension MatchFacts {
  /// Goes through the texts that a document's path of so many segments must have, each with its place, as long
  /// as they are as wanted; false if one is not, or if no path that long can match.
  ///
  /// Sound: what a glob of a block further out is compared with twice is left out (`overlap`).
  package func allTexts(ofPath count: Int, are isWanted: (Int, Text) -> Bool) -> Bool {
    let root = DocumentPath.root.count
    let glob = pattern.firstIndex { $0.isGlob }
    if let glob, glob < root { return true }
    let head = pattern[root..<(glob ?? pattern.count)]
    let tail = glob.map { pattern[($0 + 1 + overlap)...] } ?? []
    guard glob == nil ? head.count == count : head.count + tail.count <= count else { return false }
    for (place, step) in head.enumerated() {
      if case .literal(let text) = step, !isWanted(place, text) { return false }
    }
    for (place, step) in tail.enumerated() {
      if case .literal(let text) = step, !isWanted(count - tail.count + place, text) { return false }
    }
    return true
  }

  /// Whether the block can be for documents with some texts in their paths, nil for any.
  package func mayFit(_ path: [Text?]) -> Bool {
    allTexts(ofPath: path.count) { place, text in path[place].map { $0 == text } ?? true }
  }
}

extension Scenario {
  /// Whether a block can be for the requests, as far as the texts tell.
  package func mayFit(_ block: MatchFacts) -> Bool {
    switch access {
    case .document, .namedQuery: return block.mayFit(path)
    case .query:
      // Which document it is nobody knows, so no block that names one is for it.
      return block.allTexts(ofPath: path.count) { place, text in
        place < path.count - 1 && (path[place].map { $0 == text } ?? true)
      }
    case .group:
      // No block is for all levels that documents can have but one with a glob, and of those that are above
      // them nothing is said.
      let collection = path[path.count - 2]
      return block.pattern.contains { $0.isGlob }
        && block.allTexts(ofPath: path.count) { place, text in
          place != path.count - 2 || (collection.map { $0 == text } ?? true)
        }
    }
  }
}
