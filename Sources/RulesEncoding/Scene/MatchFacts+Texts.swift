import RulesEval
package import RulesLang

// Excludes match blocks by the literal segments at the beginning and the end of their patterns.

extension MatchFacts {
  /// True if the block can match documents with the segments `path`, nil for any text. Only the segments at
  /// `places`, and the number of segments, are compared.
  ///
  /// Sound: never false for a block that matches. Segments that the pattern compares twice because of an
  /// outer glob (`overlap`) are not compared.
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

  /// True if the block can match documents with the segments `path`, nil for any text.
  package func mayFit(_ path: [Text?]) -> Bool { mayFit(path, at: path.indices) }

  /// Returns the text that segment `place` of a matching path with `count` segments must have; nil for any.
  package func text(at place: Int, ofPath count: Int) -> Text? {
    var step = DatabaseName.rootCount + place
    if let glob, step >= glob {
      // The steps behind the glob match the end of the path.
      step = pattern.count - (count - place)
      if step <= glob + overlap || glob < DatabaseName.rootCount { return nil }
    }
    guard step < pattern.count, case .literal(let text) = pattern[step] else { return nil }
    return text
  }

  private var glob: Int? { pattern.firstIndex { $0.isGlob } }
}

extension Scenario {
  /// True if a block can match requests of this kind. Sound: never false for a block that matches.
  @inline(never)
  package func mayFit(_ block: MatchFacts) -> Bool {
    let last = path.count - 1
    switch access {
    case .document, .namedQuery: return block.mayFit(path)
    // A query matches no block that names a single document.
    case .query: return block.mayFit(path) && block.text(at: last, ofPath: path.count) == nil
    // The ancestor may be at any depth, so only a pattern with a glob matches; of the path only the
    // collection is fixed.
    case .group:
      return block.pattern.contains { $0.isGlob } && block.mayFit(path, at: (last - 1)..<last)
    }
  }
}
