package import RulesLang

/// A kind of client: who asks.
///
/// The kinds of one path exclude each other, and every client is of one of them: the owner has no
/// role, the holder of a role is no owner and has no other, and who is several of these at once is a
/// kind of its own.
package enum Client: Sendable, Hashable {
  case signedOut
  /// Signed in, where the rules ask for no owner and no role.
  case signedIn
  /// Signed in, neither an owner nor the holder of a role.
  case stranger
  /// Signed in with the user ID that this wildcard of the path stands for.
  case owner(Text)
  /// Signed in with a token that the rules treat specially.
  case role(Role)
  /// Signed in, and named by a document.
  case relation(Relation)
  /// Signed in, and more than one owner or role at once.
  case several

  /// The name in reports.
  package var label: String {
    switch self {
    case .signedOut: "signed out"
    case .signedIn: "signed in"
    case .stranger: "signed-in stranger"
    case .owner(let name): "owner {\(String(name))}"
    case .role(let role): role.label
    case .relation(let relation): relation.label
    case .several: "several at once"
    }
  }
}

/// A custom claim that rules ask for.
package struct Role: Sendable, Hashable {
  /// What the claim must be.
  package enum Test: Sendable, Hashable {
    case isTrue
    case equals(Literal)
    /// A list in which this is.
    case lists(Literal)
    /// A list or map in which this is.
    case contains(Literal)
  }

  /// The names of the claim, outermost first: `request.auth.token.firebase.sign_in_provider`.
  package var claim: [Text]
  /// What it must be.
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

  /// A condition that is true of a signed-in client with the role, and false, never an error, of
  /// every other one.
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

extension Client {
  /// The kinds of clients of a path whose rules ask for these owners and roles.
  static func all(owners: [Text], roles: [Role], relations: [Relation] = []) -> [Client] {
    let special =
      owners.map { Client.owner($0) } + relations.map { .relation($0) } + roles.map { .role($0) }
    if special.isEmpty { return [.signedOut, .signedIn] }
    return [.signedOut, .stranger] + special + (special.count > 1 ? [.several] : [])
  }

  /// The condition that is true of exactly these clients, given all kinds there are.
  func condition(among all: [Client]) -> String {
    let marks = all.compactMap { $0.mark }
    switch self {
    case .signedOut: return "request.auth == null"
    case .signedIn, .stranger: return Self.signed(marks.map { "!(\($0))" })
    case .owner, .role, .relation:
      return Self.signed(marks.map { $0 == mark ? "(\($0))" : "!(\($0))" })
    case .several:
      let marks = marks.map { "(\($0))" }
      // Each is looked at once, unless it is one of the several.
      let pairs = marks.indices.dropLast().map { place in
        "\(marks[place]) && (\(marks[(place + 1)...].joined(separator: " || ")))"
      }
      return Self.signed(["(" + pairs.joined(separator: " || ") + ")"])
    }
  }

  private static func signed(_ conditions: [String]) -> String {
    (["request.auth != null"] + conditions).joined(separator: " && ")
  }

  /// The client in a sentence.
  var subject: String {
    switch self {
    case .signedOut: "a client that is not signed in"
    case .signedIn, .stranger: "any signed-in user"
    case .owner(let name): "the owner {\(String(name))}"
    case .role(let role): "a client with \(role.label)"
    case .relation(let relation): "the \(relation.label)"
    case .several: "a client that is several of these"
    }
  }

  /// Whether it is an owner or the holder of a role.
  var isSpecial: Bool { mark != nil }

  /// What sets an owner or the holder of a role apart.
  private var mark: String? {
    switch self {
    case .signedOut, .signedIn, .stranger, .several: nil
    case .owner(let name): "request.auth.uid == \(String(name))"
    case .role(let role): role.condition
    case .relation(let relation): relation.condition
    }
  }
}
