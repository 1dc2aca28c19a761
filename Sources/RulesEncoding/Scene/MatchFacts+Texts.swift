import RulesEval
package import RulesLang

// Of the texts that a pattern begins and ends with it is known where they stand in a path: of many blocks few
// can be for the documents of a row.

extension MatchFacts {
  /// Whether the block can be for documents with some texts in their paths, nil for any, by those at some
  /// places.
  ///
  /// Sound: what a glob of a block further out is compared with twice is left out (`overlap`).
  package func mayFit(_ path: [Text?], at places: Range<Int>) -> Bool {
    let root = DatabaseName.rootCount
    if let glob {
      let fixed = pattern.count - 1 - overlap - root
      if glob >= root, fixed > path.count { return false }
    } else if pattern.count != root + path.count {
      return false
    }
    for place in places {
      if let text = path[place], let wanted = self.text(at: place, ofPath: path.count),
        text != wanted
      {
        return false
      }
    }
    return true
  }

  /// The same by all of them.
  package func mayFit(_ path: [Text?]) -> Bool { mayFit(path, at: path.indices) }

  /// The text that a document's path of so many segments must have at a place; nil for any.
  package func text(at place: Int, ofPath count: Int) -> Text? {
    var step = DatabaseName.rootCount + place
    if let glob, step >= glob {
      // What stands behind the glob is what the path ends with.
      step = pattern.count - (count - place)
      if step <= glob + overlap || glob < DatabaseName.rootCount { return nil }
    }
    guard step < pattern.count, case .literal(let text) = pattern[step] else { return nil }
    return text
  }

  private var glob: Int? { pattern.firstIndex { $0.isGlob } }
}

extension Scenario {
  /// Whether a block can be for the requests, as far as the texts tell.
  @inline(never)
  package func mayFit(_ block: MatchFacts) -> Bool {
    let last = path.count - 1
    switch access {
    case .document, .namedQuery: return block.mayFit(path)
    // Which document it is nobody knows, so no block that names one is for it.
    case .query: return block.mayFit(path) && block.text(at: last, ofPath: path.count) == nil
    // No block is for all levels that documents can have but one with a glob, and of those that are above
    // them nothing is said.
    case .group:
      return block.pattern.contains { $0.isGlob } && block.mayFit(path, at: (last - 1)..<last)
    }
  }
}
