package import RulesEval
package import RulesLang

/// The reason why a request was denied: the smallest set of parts that would have to change, or the match
/// block that came nearest to matching.
package struct DenialReason {
  /// The obstacles of the nearest statement; empty if no statement was tried.
  package let obstacles: [Obstacle]
  /// The block that came nearest, if no statement was tried.
  package let nearestMatch: NearestMatch?
  /// The sentences, one for each reason; empty for a request that is allowed or was not traced.
  package let sentences: [String]

  /// Finds the reason why an access was refused.
  package init(_ decision: Decision, in rules: Checked) {
    guard !decision.isAllowed, let refused = decision.accesses.last else {
      obstacles = []
      nearestMatch = nil
      sentences = []
      return
    }
    guard refused.tried.isEmpty else {
      obstacles = refused.nearest(in: rules)?.obstacles ?? []
      nearestMatch = nil
      sentences = obstacles.map { Self.sentence($0, in: rules.ruleset) }
      return
    }
    obstacles = []
    nearestMatch = NearestMatch.find(for: refused.access, in: rules)
    let what = "no statement applies to \(refused.access.method.word) \(refused.access.pathText)"
    guard let nearestMatch else {
      sentences = [what + ": the rules allow nothing at all"]
      return
    }
    let line = rules.ruleset.source.line(of: rules.ruleset[nearestMatch.match].keyword.start)
    sentences = [what + "; \(nearestMatch.sentence(in: rules.ruleset)) (line \(line))"]
  }

  /// Returns a sentence about one obstacle, with its place.
  static func sentence(_ obstacle: Obstacle, in rules: Ruleset) -> String {
    let place = rules.source.position(of: rules[obstacle.expression].range.start)
    return obstacle.sentence(in: rules) + " (\(place.line):\(place.column))"
  }
}
