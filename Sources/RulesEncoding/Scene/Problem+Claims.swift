import RulesEval
import RulesLang
import RulesSolver

// Axioms about ID tokens (Docs/Language.md §9.3). A token is JSON: it contains no NaN, and an integral number
// is an int however it is written. So no claim is a float that equals an int.

extension Problem {
  /// Requires that no claim is or contains a value that no token contains.
  ///
  /// - Requires: All conditions are compiled.
  mutating func linkClaims() {
    var isClaim = [Bool](repeating: false, count: terms.count)
    var odd: [TermID] = []
    var close: [(TermID, TermID, TermID)] = []
    var members: [(member: TermID, value: TermID)] = []
    // Arguments have smaller indices than their applications.
    for index in 0..<terms.count {
      switch terms[TermID(index)] {
      case .variable(.token): isClaim[index] = true
      case .apply(.field, let arguments), .apply(.element, let arguments):
        isClaim[index] = isClaim[arguments[0].index]
      case .apply(.odd, let arguments) where isClaim[arguments[0].index]:
        odd.append(TermID(index))
      case .apply(.close, let sides): close.append((TermID(index), sides[0], sides[1]))
      case .apply(.member, let arguments) where isClaim[arguments[0].index]:
        members.append((member: TermID(index), value: arguments[1]))
      default: break
      }
    }
    for term in odd { require(!same(term, terms.yes)) }
    for (term, one, other) in close {
      let areClose = same(term, terms.yes)
      for (claim, number) in [(one, other), (other, one)] where isClaim[claim.index] {
        require(!graph.and(areClose, isType(of: claim, in: .float), isType(of: number, in: .int)))
      }
      for (member, value) in members where value == one || value == other {
        let number = value == one ? other : one
        let isWhole = graph.and(
          areClose, isType(of: value, in: .float), isType(of: number, in: .int))
        require(!graph.and(same(member, terms.yes), isWhole))
      }
    }
    linkWholeClaims(isClaim, members: members)
  }

  /// Requires that no claim, and nothing inside one, is a constant that no token contains or equals a term
  /// that is such a constant.
  private mutating func linkWholeClaims(
    _ isClaim: [Bool], members: [(member: TermID, value: TermID)]
  ) {
    var constants: [TermID: [TermID]] = [:]
    var pairs: [(claim: TermID, other: TermID)] = []
    for case .same(let one, let other)? in graph.atoms {
      for (term, mate) in [(one, other), (other, one)] {
        if let value = terms.value(of: mate), !value.isInTokens {
          constants[term, default: []].append(mate)
        }
        if term.index < isClaim.count, isClaim[term.index] { pairs.append((term, mate)) }
      }
    }
    for (member, other) in members {
      let isMember = same(member, terms.yes)
      if let value = terms.value(of: other), !value.isInTokens { require(!isMember) }
      for constant in constants[other] ?? [] {
        require(!graph.and(isMember, same(other, constant)))
      }
    }
    for (claim, other) in pairs {
      if let value = terms.value(of: other) {
        if !value.isInTokens { require(!same(claim, other)) }
        continue
      }
      for constant in constants[other] ?? [] {
        require(!graph.and(same(claim, other), same(other, constant)))
      }
    }
  }
}

extension Value {
  /// True if a token can contain the value, judged by its numbers.
  fileprivate var isInTokens: Bool {
    switch self {
    case .float(let number): !number.isNaN && Int64(exactly: number) == nil
    case .list(let elements): elements.allSatisfy { $0.isInTokens }
    case .map(let map): map.values.allSatisfy { $0.isInTokens }
    case .null, .bool, .int, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      true
    }
  }
}
