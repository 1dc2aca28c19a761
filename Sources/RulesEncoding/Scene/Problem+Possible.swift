import RulesEval
import RulesLang
import RulesSolver

// What no document, path and token can be (Docs/Proofs.md, assumptions 2 to 4). It is stated of the
// terms that a question has, and left out of what propositions are made of: a question that does not
// touch on it is the same without. What is not stated here is found when a request is replayed.

extension Problem {
  /// The types that documents can have, but not directly inside a list.
  private static let neverInLists: TypeSet = [.list, .vector]

  /// States what is impossible. To be called once all conditions are compiled.
  mutating func linkPossible() {
    linkStored()
    let texts = impossibleNames()
    // That no segment is empty is stated where documents are looked up.
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
        // A document that is looked up and is there has a path that documents can have.
        for segment in terms.arguments(of: arguments[0]) {
          for text in texts.segments where text != empty {
            require(same(term, terms.yes), implies: !same(segment, text))
          }
        }
      case .variable, .constant, .apply: break
      }
    }
  }

  /// What is stored is none of the constants that cannot be stored, nor nearly one.
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

  /// The constants that are no names of fields, and those that are no segments of paths.
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
  /// Where a value comes from.
  fileprivate enum Origin {
    case document, token, other
  }

  /// What a term is a part of.
  fileprivate func origin(of term: TermID) -> Origin {
    var root = term
    while case .apply(let op, let arguments) = self[root], let first = arguments.first {
      guard op == .field || op == .element || op == .data else { break }
      root = first
    }
    switch self[root] {
    case .variable(.token): return .token
    // What filters promise is in the document that the query returns.
    case .variable(.before), .variable(.after), .variable(.promise), .apply(.document, _):
      return .document
    case .variable, .constant, .apply: return .other
    }
  }
}
