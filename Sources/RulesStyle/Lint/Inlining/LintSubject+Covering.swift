import RulesLang

// Blocks for the documents of other blocks, and statements that require less than others.

extension LintSubject {
  /// True if a block matches every document that another one matches.
  func covers(_ wide: MatchID, _ narrow: MatchID) -> Bool {
    let (outer, inner) = (checked.matches[wide.index], checked.matches[narrow.index])
    guard outer.isReachable, inner.isReachable, outer.overlap == 0, inner.overlap == 0,
      rules[wide].service == rules[narrow].service
    else { return false }
    return Self.covers(outer.pattern, inner.pattern, takesNothing: rules.version == .two)
  }

  /// True if a pattern matches every document that another one matches; with `takesNothing` a glob also
  /// matches no segments.
  private static func covers(
    _ wide: [PatternStep], _ narrow: [PatternStep], takesNothing: Bool
  ) -> Bool {
    let glob = wide.firstIndex { $0.isRecursive }
    let inner = narrow.firstIndex { $0.isRecursive }
    guard let glob else {
      return inner == nil && wide.count == narrow.count
        && zip(wide, narrow).allSatisfy { $0.covers($1) }
    }
    let (before, after) = (wide[..<glob], wide[(glob + 1)...])
    let greatest = (before: inner ?? narrow.count, after: narrow.count - 1 - (inner ?? -1))
    guard before.count <= greatest.before, after.count <= greatest.after else { return false }
    let taken = narrow.count - before.count - after.count
    guard taken > 0 || taken == 0 && takesNothing else { return false }
    return zip(before, narrow).allSatisfy { $0.covers($1) }
      && zip(after, narrow.suffix(after.count)).allSatisfy { $0.covers($1) }
  }

  /// True if two blocks match the same documents.
  func areAlike(_ one: MatchID, _ other: MatchID) -> Bool {
    covers(one, other) && covers(other, one)
  }

  /// True if a block matches everything below a document, and the document itself: `/{name=**}` at its end,
  /// with something before it.
  func isInnerWildcard(_ match: MatchID) -> Bool {
    let pattern = checked.matches[match.index].pattern
    guard case .glob = pattern.last, let root = pattern.firstIndex(of: .literal("documents"))
    else { return false }
    return pattern.count > root + 2
  }

  /// True if a block has a capture or a glob behind `documents`.
  func hasWildcard(_ match: MatchID) -> Bool {
    let pattern = checked.matches[match.index].pattern
    let root = pattern.firstIndex(of: .literal("documents")) ?? -1
    return pattern[(root + 1)...].contains { step in
      switch step {
      case .capture, .glob: true
      case .literal: false
      }
    }
  }

  /// Returns the methods for which a statement may grant anything.
  func possibleMethods(_ allow: AllowID) -> MethodSet {
    checked.methods[allow.index].methods.reduce(MethodSet()) { set, method in
      let all = outcomes(of: allow, for: method, by: .signedIn)
        .union(outcomes(of: allow, for: method, by: .signedOut))
      return all.contains(.truth) ? set.union(MethodSet(method)) : set
    }
  }

  /// Returns the alternatives by which a statement may grant a method, each as a list of conjuncts.
  func ways(of allow: AllowID, for method: Method) -> [[InlinedTerms.Term]] {
    terms.alternatives(of: conditions[allow.index].root).filter { parts in
      !parts.contains { terms.isImpossible($0, for: method) }
    }
  }

  /// True if a statement's condition is `false`, directly or through functions.
  func isDeny(_ allow: AllowID) -> Bool {
    terms[conditions[allow.index].root] == .literal(.bool(false))
  }

  /// True if every request of a method that `wide` grants is granted by `narrow`, too: all conjuncts of
  /// `narrow` follow from each alternative of `wide`. Sound; compares terms.
  func implies(_ wide: AllowID, _ narrow: AllowID, for method: Method) -> Bool {
    return ways(of: wide, for: method).allSatisfy { way in
      let known = Set(way)
      let isSignedIn = isNeeded(by: known)
      return parts(of: narrow).allSatisfy { follows($0, from: known, isSignedIn: isSignedIn) }
    }
  }

  /// True if a conjunct follows from known ones. Recurses as deeply as conditions nest, which the parser
  /// limits.
  private func follows(
    _ part: InlinedTerms.Term, from known: Set<InlinedTerms.Term>, isSignedIn: Bool
  ) -> Bool {
    if known.contains(part) || isSignedIn && terms.isSignedIn(part) { return true }
    switch terms[part] {
    case .binary(.and, _, _):
      return terms.chain(.and, of: part).allSatisfy {
        follows($0, from: known, isSignedIn: isSignedIn)
      }
    case .binary(.or, _, _):
      return terms.chain(.or, of: part).contains {
        follows($0, from: known, isSignedIn: isSignedIn)
      }
    default: return false
    }
  }

  /// Returns the conjuncts of a condition that remain for the documents of a block, whose pattern's literal
  /// segments are the values of captures; nil if one of them is false for all of these.
  func parts(of allow: AllowID, in match: MatchID) -> Set<InlinedTerms.Term>? {
    let wide = checked.matches[rules[allow].match.index].pattern
    var names: [Int: Text] = [:]
    for (place, step) in checked.matches[match.index].pattern.enumerated() {
      if place < wide.count, wide[place].isRecursive { break }
      if case .literal(let text) = step { names[place] = text }
    }
    var open: Set<InlinedTerms.Term> = []
    for part in parts(of: allow) {
      switch terms.constant(part, where: names) {
      case true?: continue
      case false?: return nil
      case nil: open.insert(part)
      }
    }
    return open
  }

  /// True if some conjunct is never true for signed-out clients, because it compares the client's ID.
  private func isNeeded(by parts: Set<InlinedTerms.Term>) -> Bool {
    parts.contains { part in
      switch terms[part] {
      case .binary(.equal, let one, let other): terms.isClient(one) || terms.isClient(other)
      case .binary(.in, let key, _): terms.isClient(key)
      default: false
      }
    }
  }

  /// Returns the line of a statement.
  func line(_ allow: AllowID) -> Int { rules.source.line(of: rules[allow].keyword.start) }

  /// Returns the lines of statements as a list: "lines 6, 7 and 8".
  func lines(_ allows: [AllowID]) -> String {
    let numbers = Set(allows.map { line($0) }).sorted().map { "\($0)" }
    return (numbers.count == 1 ? "line " : "lines ") + numbers.listed
  }
}

extension Checked {
  /// Returns the first segment of the paths of a block's documents; nil if it is a wildcard.
  func firstSegment(of match: MatchID) -> Text? {
    let pattern = matches[match.index].pattern
    guard let root = pattern.firstIndex(of: .literal("documents")), root + 1 < pattern.count,
      case .literal(let text) = pattern[root + 1]
    else { return nil }
    return text
  }
}

extension PatternStep {
  fileprivate var isRecursive: Bool {
    switch self {
    case .glob: true
    case .literal, .capture: false
    }
  }

  /// True if the step matches every segment that another one matches; false if one of them is a glob.
  fileprivate func covers(_ other: PatternStep) -> Bool {
    switch (self, other) {
    case (.literal(let one), .literal(let other)): one == other
    case (.capture, .literal), (.capture, .capture): true
    case (.glob, _), (_, .glob), (.literal, .capture): false
    }
  }
}
