import RulesHost

/// Minimises a source about which the compilers differ: first by whole lines, then by words.
enum SourceShrinker {
  /// Returns a smaller source with the same kind of difference, with both answers.
  static func shrink(
    _ source: String, kind: AnswerDifference.Kind, against referee: Referee
  ) throws(EmulatorClient.Problem) -> SourceComparison? {
    guard var best = try SourceComparison(source, against: referee) else { return nil }
    var patience = 250
    for separator in ["\n", " "] as [Character] {
      var length = best.source.count(of: separator)
      while length > 0 {
        var start = 0
        while patience > 0 {
          let parts = best.source.split(
            separator: separator, omittingEmptySubsequences: false)
          guard start + length <= parts.count else { break }
          let rest = Array(parts[..<start]) + Array(parts[(start + length)...])
          let smaller = rest.joined(separator: String(separator))
          patience -= 1
          if let comparison = try SourceComparison(smaller, against: referee),
            comparison.difference?.kind == kind
          {
            best = comparison
          } else {
            start += length
          }
        }
        length /= 2
      }
    }
    return best
  }
}

extension String {
  /// Returns how often a character occurs in the text.
  fileprivate func count(of character: Character) -> Int {
    reduce(0) { $0 + ($1 == character ? 1 : 0) }
  }
}
