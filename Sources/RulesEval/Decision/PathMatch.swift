import RulesLang

/// Compares the pattern of a match block with the path of an access (Docs/Language.md §4, §9).
enum PathMatch {
  /// Returns the values of a matching block's captures; nil if the block does not match.
  static func captures(
    of match: MatchFacts, for path: [RequestStep], version: RulesVersion
  ) -> [Outcome]? {
    guard !isElsewhere(match.pattern, than: path),
      var captures = ownCaptures(of: match, for: path, version: version)
    else { return nil }
    // Outer ones come first, so a hidden one is final when it is looked at.
    for slot in captures.indices {
      if case .error = captures[slot], let outer = match.hiddenCapture(by: slot) {
        captures[slot] = captures[outer]
      }
    }
    return captures
  }

  /// True if a literal segment before any glob differs from the path, so that the block cannot match.
  /// Allocates nothing: of a thousand blocks all but one or two are ruled out here.
  private static func isElsewhere(_ pattern: [PatternStep], than path: [RequestStep]) -> Bool {
    for place in pattern.indices {
      switch pattern[place] {
      case .glob: return false
      case .capture:
        if place >= path.count { return true }
      case .literal(let wanted):
        guard place < path.count else { return true }
        if case .segment(let text) = path[place], wanted != text { return true }
      }
    }
    return pattern.count != path.count
  }

  /// Returns the values of a block's captures, also of those that an inner capture of the same name hides;
  /// nil if the block does not match.
  ///
  /// At most one step of a pattern is a glob, so the number of segments determines where it begins and ends.
  /// Steps in the overlap (`MatchFacts.overlap`) share their segments with the steps behind them and add
  /// none.
  private static func ownCaptures(
    of match: MatchFacts, for path: [RequestStep], version: RulesVersion
  ) -> [Outcome]? {
    let pattern = match.pattern
    var captures: [Outcome] = []
    let glob = pattern.firstIndex { step in
      if case .glob = step { return true }
      return false
    }
    guard let glob else {
      guard pattern.count == path.count, bind(pattern[...], to: path[...], into: &captures) else {
        return nil
      }
      return captures
    }
    let after = pattern.count - glob - 1 - match.overlap
    let count = path.count - glob - after
    guard count >= (version == .one ? 1 : 0) else { return nil }
    guard bind(pattern[..<glob], to: path[..<glob], into: &captures) else { return nil }
    let run = path[glob..<(glob + count)]
    if version == .one, run.isTooOpen { return nil }
    // In version 1, reading a glob that does not match a single document is an error, as for a capture.
    captures.append(
      version == .one && run.contains { $0.isOpen }
        ? .error(EvaluationError(.nullValue, at: ExprID(0), site: .none))
        : .value(.path(PathValue(run.map { $0.segment }))))
    let inner = glob + 1 + match.overlap
    guard bind(pattern[(glob + 1)..<inner], to: path[(glob + count)...], into: &captures),
      bind(pattern[inner...], to: path[(glob + count)...], into: &captures)
    else { return nil }
    return captures
  }

  private static func bind(
    _ pattern: ArraySlice<PatternStep>, to path: ArraySlice<RequestStep>,
    into captures: inout [Outcome]
  ) -> Bool {
    for (step, actual) in zip(pattern, path) {
      switch (step, actual) {
      case (.literal(let wanted), .segment(let text)):
        guard wanted == text else { return false }
      case (.capture, .segment(let text)):
        captures.append(.value(.string(text)))
      case (.capture, .anyDocument):
        // Reading it is an error: the query names no single document.
        captures.append(.error(EvaluationError(.nullValue, at: ExprID(0), site: .none)))
      case (.literal, .anyDocument), (_, .anyRun), (.glob, _):
        return false
      }
    }
    return true
  }
}

extension RequestStep {
  /// True if the step is not one known segment.
  fileprivate var isOpen: Bool {
    switch self {
    case .segment: false
    case .anyDocument, .anyRun: true
    }
  }

  /// The step as a segment of the path that a glob is bound to.
  fileprivate var segment: PathValue.Segment {
    switch self {
    case .segment(let text): .plain(text)
    case .anyDocument: .capture(Text(), nil)
    case .anyRun: .glob(Text(), nil)
    }
  }
}

extension ArraySlice<RequestStep> {
  /// True if a glob of version 1 does not match the steps: it does not match two unknown segments without a
  /// run of segments beside them.
  fileprivate var isTooOpen: Bool {
    var unknown = 0
    for step in self {
      switch step {
      case .segment: break
      case .anyDocument: unknown += 1
      case .anyRun: return false
      }
    }
    return unknown > 1
  }
}
