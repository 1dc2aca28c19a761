import RulesLang

// Matching documents against the pattern of a claim, in which `{x=**}` is any number of segments, even none.

extension ClaimPath {
  /// True if a document is excluded from the claim, though its path matches.
  package func excepts(_ path: DocumentPath) -> Bool {
    exceptions.contains { Self.covers($0, path.segments.map { .literal($0) }) }
  }

  /// True if every document that the other pattern matches is matched by this one. A `{x=**}` matches
  /// everything between the steps that both compare from the start and from the end.
  package static func covers(_ pattern: [Step], _ other: [Step]) -> Bool {
    guard let glob = pattern.firstIndex(where: { $0.isGlob }) else {
      return pattern.count == other.count && begins(other, as: pattern)
    }
    let tail = pattern[(glob + 1)...]
    let between = other.firstIndex { $0.isGlob }
    let (before, after) =
      between.map { (other[..<$0], other[($0 + 1)...]) } ?? (other[...], other[...])
    guard before.count >= glob, after.count >= tail.count,
      between != nil || other.count >= glob + tail.count
    else { return false }
    return begins(before, as: pattern[..<glob]) && begins(after.reversed(), as: tail.reversed())
  }

  /// True if each of the first steps is matched by the pattern's step in its place.
  private static func begins(
    _ steps: some Sequence<Step>, as pattern: some Sequence<Step>
  ) -> Bool {
    zip(pattern, steps).allSatisfy { one, step in
      if case .literal = one { return one == step }
      return !step.isGlob
    }
  }
}
