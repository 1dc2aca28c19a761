package import RulesLang

/// A kind of client. Every client is of exactly one kind among those of a path (`ClientColumns`).
package enum Client: Sendable, Hashable {
  case signedOut
  /// Signed in, where the rules distinguish no owner and no role.
  case signedIn
  /// Signed in without any of the marks.
  case stranger
  /// Signed in with exactly these marks, in the order of the path's.
  case marked([Mark])
  /// Signed in with a combination of marks that has no column of its own.
  case mixed

  /// True if the client has a mark.
  var isMarked: Bool {
    switch self {
    case .signedOut, .signedIn, .stranger: false
    case .marked, .mixed: true
    }
  }
}

/// A claim of the ID token that rules test.
package struct Role: Sendable, Hashable {
  /// The test of the claim.
  package enum Test: Sendable, Hashable {
    case isTrue
    case equals(Literal)
    /// A list that contains this.
    case lists(Literal)
    /// A list or map that contains this.
    case contains(Literal)
  }

  /// The names of the claim, outermost first: `request.auth.token.firebase.sign_in_provider`.
  package var claim: [Text]
  /// The test of the claim.
  package var test: Test

  /// The name in reports: `token.admin`, `token.role == 'editor'`, `'staff' in token.groups`.
  package var label: String {
    let name = claim.reduce("token") { $0 + "." + String($1) }
    switch test {
    case .isTrue: return name
    case .equals(let literal): return "\(name) == \(literal.rulesText)"
    case .lists(let literal), .contains(let literal): return "\(literal.rulesText) in \(name)"
    }
  }

  /// A condition that is true of signed-in clients with the role, and false (never an error) of all
  /// others.
  var condition: String {
    let names = claim.map { $0.literal }.joined(separator: ", ")
    let value = "request.auth.token.get([\(names)], null)"
    switch test {
    case .isTrue: return "\(value) == true"
    case .equals(let literal): return "\(value) == \(literal.rulesText)"
    case .lists(let literal): return "\(value) is list && \(literal.rulesText) in \(value)"
    case .contains(let literal):
      return "(\(value) is list || \(value) is map) && \(literal.rulesText) in \(value)"
    }
  }
}
