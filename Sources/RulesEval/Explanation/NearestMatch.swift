public import RulesLang

/// The match block that came nearest to matching an access, and the reason why it does not apply.
public struct NearestMatch: Sendable {
  /// A reason why a block does not apply.
  public enum Reason: Sendable {
    /// The path matches; the block's statements are for other methods.
    case method(offered: MethodSet)
    /// A segment of the path is another than the pattern's.
    case segment(wanted: Text, found: Text)
    /// The pattern names one document; a query is for the whole collection.
    case oneDocument(wanted: Text)
    /// The query is for a collection group, which only `{name=**}` matches.
    case collectionGroup
    /// The path is longer than the paths that the pattern matches.
    case goesOn(rest: [RequestStep])
    /// The pattern matches only longer paths.
    case endsEarly(missing: Int)
    /// In version 1 blocks below a `{name=**}` are never reached.
    case belowGlob
    /// In version 1 a `{name=**}` matches at least one segment.
    case emptyGlob
  }

  /// The block.
  public var match: MatchID
  /// The reason why it does not apply.
  public var reason: Reason

  /// The block with statements that came nearest; nil if no block has any.
  ///
  /// A block whose path fits is nearest; then the one that shares most segments with the path from
  /// the left, then the one whose length fits, then the first.
  public static func find(for access: Access, in rules: Checked) -> NearestMatch? {
    var best: (rank: Rank, nearest: NearestMatch)?
    for (index, match) in rules.ruleset.matches.enumerated() where !match.allows.isEmpty {
      let service = rules.ruleset.services[match.service]
      guard service.name.text == Ruleset.firestoreService else { continue }
      let (rank, reason) = compare(MatchID(index), with: access, in: rules)
      if let known = best, !known.rank.isWorse(than: rank) { continue }
      best = (rank, NearestMatch(match: MatchID(index), reason: reason))
    }
    return best?.nearest
  }

  private struct Rank {
    var shared: Int
    var isSimilar = false
    var lengthFits = true

    func isWorse(than other: Rank) -> Bool {
      if shared != other.shared { return shared < other.shared }
      if isSimilar != other.isSimilar { return other.isSimilar }
      return !lengthFits && other.lengthFits
    }
  }

  private static func compare(
    _ id: MatchID, with access: Access, in rules: Checked
  ) -> (Rank, Reason) {
    let facts = rules.matches[id.index]
    let fits =
      PathMatch.captures(of: facts, for: access.path, version: rules.ruleset.version) != nil
    if fits {
      let offered = rules.ruleset[id].allows.reduce(into: MethodSet()) {
        $0.formUnion(rules.methods[$1.index])
      }
      return (Rank(shared: .max), facts.isReachable ? .method(offered: offered) : .belowGlob)
    }
    return walk(facts.pattern, along: access.path)
  }

  /// Compares pattern and path from the left up to the first step that differs.
  private static func walk(_ pattern: [PatternStep], along path: [RequestStep]) -> (Rank, Reason) {
    let lengthFits = pattern.count == path.count
    for (index, step) in pattern.enumerated() {
      guard index < path.count else {
        if case .glob = step {
          return (Rank(shared: index, lengthFits: false), .emptyGlob)
        }
        return (
          Rank(shared: index, lengthFits: false), .endsEarly(missing: pattern.count - index)
        )
      }
      switch (step, path[index]) {
      case (.glob, _):
        return afterGlob(pattern[(index + 1)...], along: path, shared: index)
      case (.capture, .segment), (.capture, .anyDocument): continue
      case (.literal(let wanted), .segment(let found)):
        if wanted == found { continue }
        let isSimilar = Spelling.nearest(to: String(found), among: [String(wanted)]) != nil
        return (
          Rank(shared: index, isSimilar: isSimilar, lengthFits: lengthFits),
          .segment(wanted: wanted, found: found)
        )
      case (.literal(let wanted), .anyDocument):
        return (Rank(shared: index, lengthFits: lengthFits), .oneDocument(wanted: wanted))
      case (_, .anyRun):
        let isForGroup = pattern[index...].contains { named in
          if case .literal(let name) = named {
            return path[(index + 1)...].contains(.segment(name))
          }
          return false
        }
        return (
          Rank(shared: index, isSimilar: isForGroup, lengthFits: lengthFits), .collectionGroup
        )
      }
    }
    return (
      Rank(shared: pattern.count, lengthFits: false), .goesOn(rest: Array(path[pattern.count...]))
    )
  }

  /// Compares the steps behind a `{name=**}` from the right.
  private static func afterGlob(
    _ pattern: ArraySlice<PatternStep>, along path: [RequestStep], shared: Int
  ) -> (Rank, Reason) {
    for (step, actual) in zip(pattern.reversed(), path.reversed()) {
      switch (step, actual) {
      case (.literal(let wanted), .segment(let found)) where wanted != found:
        return (Rank(shared: shared), .segment(wanted: wanted, found: found))
      case (.literal(let wanted), .anyDocument):
        return (Rank(shared: shared), .oneDocument(wanted: wanted))
      case (_, .anyRun): return (Rank(shared: shared), .collectionGroup)
      default: continue
      }
    }
    let missing = pattern.count - (path.count - shared)
    return (
      Rank(shared: shared, lengthFits: false),
      missing > 0 ? .endsEarly(missing: missing) : .emptyGlob
    )
  }
}

extension NearestMatch {
  /// Returns the pattern of a block with those of the blocks around it, as written; without the part for the
  /// database.
  public static func pattern(of match: MatchID, in rules: Ruleset) -> String {
    var parts: [String] = []
    var next: MatchID? = match
    while let current = next {
      parts.insert(rules.source.string(rules[current].patternRange), at: 0)
      next = rules[current].parent
    }
    let whole = SourceSnippet.collapsed(parts.joined())
    for prefix in ["/databases/{database}/documents", "/databases/{db}/documents"]
    where whole.hasPrefix(prefix) && whole != prefix {
      return String(whole.dropFirst(prefix.count))
    }
    return whole
  }

  /// The reason, in one sentence.
  public func sentence(in rules: Ruleset) -> String {
    let block = "`match \(Self.pattern(of: match, in: rules))`"
    switch reason {
    case .method(let offered):
      let words = offered.methods.map { $0.word }.joined(separator: ", ")
      let offer =
        words.isEmpty
        ? "\(block) fits, but its statements are for no method"
        : "\(block) fits, but its statements are only for \(words)"
      return offer + unknownWords(in: rules)
    case .segment(let wanted, let found):
      return "\(block) does not fit: `\(String(found))` is not `\(String(wanted))`"
    case .oneDocument(let wanted):
      return "\(block) does not fit: a query reads more than the document `\(String(wanted))`"
    case .collectionGroup:
      return "\(block) does not fit: a collection group needs `{path=**}` before the collection"
    case .goesOn(let rest):
      return "\(block) does not reach below itself: the path goes on with \(Self.text(rest))"
    case .endsEarly(let missing):
      let noun = missing.of("segment")
      return "\(block) begins \(noun) further down"
    case .belowGlob: return "\(block) fits, but in version 1 nothing below `{…=**}` is reached"
    case .emptyGlob:
      return "\(block) does not fit: in version 1 `{…=**}` matches at least one segment"
    }
  }

  /// The operations of the block's statements that are not methods, for messages; empty if all are.
  private func unknownWords(in rules: Ruleset) -> String {
    rules[match].allows.flatMap { rules[$0].operations }
      .filter { Operation.methods(of: $0.text) == nil }
      .reduce("") { text, name in
        let line = rules.source.line(of: name.range.start)
        return text + "; `\(String(name.text))` on line \(line) is not a method"
      }
  }

  private static func text(_ steps: [RequestStep]) -> String {
    steps.reduce("") { text, step in
      switch step {
      case .segment(let segment): text + "/" + String(segment)
      case .anyDocument: text + "/?"
      case .anyRun: text + "/**"
      }
    }
  }
}
