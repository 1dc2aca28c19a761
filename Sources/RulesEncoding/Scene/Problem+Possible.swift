import RulesEval
import RulesLang
import RulesSolver

// Axioms about documents, paths and tokens (Docs/Proofs.md, assumptions 2 to 4). They are stated for the
// terms that a query contains and are not part of its propositions, so a query without such terms stays the
// same. An impossible model that no axiom excludes is found when its request is replayed.

extension Problem {
  /// The types that can be stored in a document, but not directly in a list.
  private static let neverInLists: TypeSet = [.list, .vector]

  /// Requires that documents, paths and tokens are possible.
  ///
  /// - Requires: All conditions are compiled.
  mutating func linkPossible() {
    linkStored()
    let texts = impossibleNames()
    // Lookups require by themselves that no segment is empty.
    let empty = text(Text())
    for index in 0..<terms.count {
      let term = TermID(index)
      switch terms[term] {
      case .apply(.odd, let arguments) where terms.origin(of: arguments[0]) == .token:
        require(!same(term, terms.yes))
      case .apply(.has, let arguments) where texts.fields.contains(arguments[1]):
        if terms.origin(of: arguments[0]) == .document { require(!same(term, terms.yes)) }
      case .apply(.element, let arguments) where terms.origin(of: arguments[0]) == .document:
        require(!isType(of: term, in: Self.neverInLists))
      case .apply(.member, let arguments) where terms.origin(of: arguments[0]) == .document:
        let isNeither = !isType(of: arguments[1], in: Self.neverInLists)
        if isNeither != .yes { require(same(term, terms.yes), implies: isNeither) }
      case .variable(.segment):
        for text in texts.segments { require(!same(term, text)) }
      case .apply(.exists, let arguments):
        // The path of a stored document is a legal document path.
        for segment in terms.arguments(of: arguments[0]) {
          for text in texts.segments where text != empty {
            require(same(term, terms.yes), implies: !same(segment, text))
          }
        }
      case .variable, .constant, .apply: break
      }
    }
  }

  /// Requires that stored values differ from every constant that cannot be stored, also by `diff()`.
  private mutating func linkStored() {
    func isImpossible(_ one: TermID, as other: TermID) -> Bool {
      guard let value = terms.value(of: other), terms.origin(of: one) == .document else {
        return false
      }
      return (try? value.checkStorable(as: "f")) == nil
    }
    for case .same(let one, let other)? in graph.atoms
    where isImpossible(one, as: other) || isImpossible(other, as: one) {
      require(!same(one, other))
    }
    for index in 0..<terms.count {
      guard case .apply(.nearly, let sides) = terms[TermID(index)],
        isImpossible(sides[0], as: sides[1]) || isImpossible(sides[1], as: sides[0])
      else { continue }
      require(!same(TermID(index), terms.yes))
    }
  }

  /// Returns the constants that cannot name a field, and those that cannot be a path segment.
  private func impossibleNames() -> (fields: [TermID], segments: [TermID]) {
    var found: (fields: [TermID], segments: [TermID]) = ([], [])
    for index in 0..<terms.count {
      guard case .string(let text) = terms.value(of: TermID(index)) else { continue }
      if !text.canNameField { found.fields.append(TermID(index)) }
      if !text.canBeSegment { found.segments.append(TermID(index)) }
    }
    return found
  }
}

extension TermTable {
  /// The root of a value.
  fileprivate enum Origin {
    case document, token, other
  }

  /// Returns the root of a term: the document or token that contains it.
  fileprivate func origin(of term: TermID) -> Origin {
    var root = term
    while case .apply(let op, let arguments) = self[root], let first = arguments.first {
      guard op == .field || op == .element || op == .data else { break }
      root = first
    }
    switch self[root] {
    case .variable(.token): return .token
    // The promise of a query's filters is about the document that the query returns.
    case .variable(.before), .variable(.after), .variable(.promise), .apply(.document, _):
      return .document
    case .variable, .constant, .apply: return .other
    }
  }
}
