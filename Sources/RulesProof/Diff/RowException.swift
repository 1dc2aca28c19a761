import RulesEncoding
import RulesEval
import RulesLang

// Rows of a general pattern, such as `/{x=**}`, leave out the documents of more specific patterns,
// which have rows of their own. Most statements of a file are only for the latter, and are not compiled
// for the general row.

extension Scenario {
  /// True if a block may match documents of the scenario that none of the excepted paths covers.
  ///
  /// Sound: false only if each path of the scenario that the block's pattern matches is among the
  /// exceptions, by their literals.
  func mayFit(_ block: MatchFacts, except: [[Text?]]) -> Bool {
    guard mayFit(block) else { return false }
    // A collection group query does not restrict the beginning of paths.
    if except.isEmpty || access.isGroup { return true }
    let texts = texts(of: block)
    return !except.contains { exception in
      exception.count == texts.count
        && zip(exception, texts).allSatisfy { $0 == nil || $0 == $1 }
    }
  }

  /// Returns the segments of the scenario's paths that a block matches; nil for any segment.
  func texts(of block: MatchFacts) -> [Text?] {
    path.indices.map { block.text(at: $0, ofPath: path.count) ?? path[$0] }
  }
}
