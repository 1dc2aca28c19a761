package import RulesLang

extension RequestVariable {
  /// Types that the fields of stored documents have.
  package static let storable: TypeSet = [
    .null, .bool, .int, .float, .string, .bytes, .timestamp, .list, .map, .latlng, .path, .vector,
  ]
  /// Types that the claims of a token have.
  package static let claims: TypeSet = [.null, .bool, .int, .float, .string, .list, .map]
}

extension TermTable {
  /// The types of what a term's members and elements can be: fields of documents hold what can be
  /// stored, claims what JSON can say, promises also constraints.
  package func partTypes(of term: TermID) -> TypeSet {
    var root = term
    while case .apply(let op, let arguments) = self[root], let first = arguments.first {
      guard op == .field || op == .element || op == .data else { break }
      root = first
    }
    switch self[root] {
    case .variable(.token): return RequestVariable.claims
    case .variable(.promise): return RequestVariable.storable.union(.constraint)
    case .variable(.before), .variable(.after), .apply(.document, _):
      return RequestVariable.storable
    case .variable, .constant, .apply: return .any
    }
  }

  /// The terms that are another one and a number.
  var sums: [TermID] {
    var found: [TermID] = []
    for index in 0..<count {
      if case .apply(.plus, _) = self[TermID(index)] { found.append(TermID(index)) }
    }
    return found
  }

  /// Whether a term is a member or an element of another one, at some depth, or that one itself.
  package func isPart(_ term: TermID, of whole: TermID) -> Bool {
    var part = term
    while part != whole {
      guard case .apply(let op, let arguments) = self[part], op == .field || op == .element else {
        return false
      }
      part = arguments[0]
    }
    return true
  }
}
