package import RulesLang

/// A property that distinguishes signed-in clients: ownership, a custom claim, or a document that
/// names the client.
package enum Mark: Sendable, Hashable {
  /// The user ID equals this wildcard of the path.
  case owner(Text)
  /// The token has a custom claim.
  case role(Role)
  /// A document names the user.
  case relation(Relation)

  /// The name in reports.
  package var label: String {
    switch self {
    case .owner(let name): "owner {\(String(name))}"
    case .role(let role): role.label
    case .relation(let relation): relation.label
    }
  }

  /// The name without the document that defines it: `member`, `role == 'admin'`.
  var shortLabel: String {
    switch self {
    case .owner, .role: label
    case .relation(let relation): relation.shortLabel
    }
  }

  /// The client as the subject of a sentence.
  var subject: String {
    switch self {
    case .owner(let name): "the owner {\(String(name))}"
    case .role(let role): "a client with \(role.label)"
    case .relation(let relation): relation.subject
    }
  }

  /// The clients without the mark, after "who".
  var absence: String {
    switch self {
    case .owner: "is not \(subject)"
    case .role(let role): "does not have \(role.label)"
    case .relation(let relation): relation.absence
    }
  }

  /// True if the requested document itself defines the mark.
  var isOfOwnDocument: Bool {
    if case .relation(let relation) = self { return relation.document == nil }
    return false
  }

  /// A condition that is true of signed-in clients with the mark, and false (never an error) of all
  /// others.
  var condition: String {
    switch self {
    case .owner(let name): "request.auth.uid == \(String(name))"
    case .role(let role): role.condition
    case .relation(let relation): relation.condition
    }
  }

  /// True if clients with this mark syntactically also have the other one: a document with a field
  /// exists.
  func implies(_ other: Mark) -> Bool {
    guard self != other, case .relation(let one) = self, case .relation(let two) = other else {
      return false
    }
    return two.kind == .existence && one.document == two.document
  }

  /// True if the conditions syntactically exclude each other: one value is not two different
  /// strings.
  func excludes(_ other: Mark) -> Bool {
    switch (self, other) {
    case (.role(let one), .role(let two)):
      guard one.claim == two.claim, one != two else { return false }
      switch (one.test, two.test) {
      case (.equals(.string(let left)), .equals(.string(let right))): return left != right
      case (.isTrue, .equals(.string)), (.equals(.string), .isTrue): return true
      case (.isTrue, _), (.equals, _), (.lists, _), (.contains, _): return false
      }
    case (.relation(let one), .relation(let two)):
      guard one.document == two.document, one.field == two.field,
        case .role(.string(let left)) = one.kind, case .role(.string(let right)) = two.kind
      else { return false }
      return left != right
    case (.owner, _), (.role, _), (.relation, _): return false
    }
  }
}
