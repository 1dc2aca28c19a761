package import RulesLang

extension RequestVariable {
  /// The types of fields in stored documents.
  package static let storable: TypeSet = [
    .null, .bool, .int, .float, .string, .bytes, .timestamp, .list, .map, .latlng, .path, .vector,
  ]
  /// The types of claims in an ID token.
  package static let claims: TypeSet = [.null, .bool, .int, .float, .string, .list, .map]
}

extension TermTable {
  /// Returns the possible types of a term's fields and elements: storable types in documents, JSON
  /// types in tokens, also constraints in promises.
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

  /// The terms of the form "term plus constant".
  var sums: [TermID] {
    var found: [TermID] = []
    for index in 0..<count {
      if case .apply(.plus, _) = self[TermID(index)] { found.append(TermID(index)) }
    }
    return found
  }

  /// True if `term` is `whole`, or a field or element of it at any depth.
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
