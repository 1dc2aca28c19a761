import RulesEncoding
import RulesEval
import RulesLang

// The documents of a general pattern, such as `/{x=**}`, are looked at without those of more special ones,
// which have a row of their own. The statements for these are most of a file, and none of them is tried for
// the documents that are left.

extension Scenario {
  /// True if a block may match documents of the scenario that none of the excepted paths stands for.
  ///
  /// Sound: false only if each path of the scenario that the block's pattern matches is among the exceptions,
  /// by the texts that are written in both.
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

  /// The texts that the segments of a path have that the pattern matches; nil for any.
  func texts(of block: MatchFacts) -> [Text?] {
    path.indices.map { block.text(at: $0, ofPath: path.count) ?? path[$0] }
  }
}

extension Scenario.Access {
  /// True if the documents are reached by a collection group query.
  var isGroup: Bool {
    if case .group = self { return true }
    return false
  }
}
