import RulesEval
import RulesLang

/// A relation of the client to a document that names it: the requested document or another one.
package struct Relation: Sendable, Hashable {
  /// A segment of another document's path.
  enum Step: Hashable, Sendable {
    case literal(Text)
    /// The value of a wildcard of the path.
    case wildcard(Text)
    case uid
  }

  /// The kind of relation.
  enum Kind: Hashable, Sendable {
    /// A field equals the user ID.
    case owner
    /// A field is a list or map that contains the user ID.
    case member
    /// A field has this value.
    case role(Literal)
    /// The document exists.
    case existence
  }

  /// The kind of relation.
  let kind: Kind
  /// The field; empty for the existence of a document.
  let field: Text
  /// The path of the other document; nil for the requested one.
  let document: [Step]?
  /// The database of the documents.
  let database: DatabaseName

  /// The relation by the requested document.
  var ofOwnDocument: Relation {
    Relation(kind: kind, field: field, document: nil, database: database)
  }

  /// The name in reports: `owner by author`, `member by /rooms/{room}/members/{uid}`,
  /// `role == 'admin' in /users/{uid}`.
  package var label: String {
    let name = String(field)
    switch kind {
    case .existence: return "member by " + (place ?? "")
    case .owner: return "owner by " + name + (place.map { " of " + $0 } ?? "")
    case .member: return "member by " + name + (place.map { " of " + $0 } ?? "")
    case .role(let value):
      return "\(name) == \(value.rulesText)" + (place.map { " in " + $0 } ?? "")
    }
  }

  /// The path of the other document; nil without one.
  private var place: String? {
    document.map { steps in
      steps.reduce("") { text, step in
        switch step {
        case .literal(let literal): text + "/" + String(literal)
        case .wildcard(let name): text + "/{" + String(name) + "}"
        case .uid: text + "/{uid}"
        }
      }
    }
  }

  /// The clients without the relation, after "who".
  var absence: String {
    switch kind {
    case .existence: "has no document " + (place ?? "")
    case .owner, .member: "is not \(subject)"
    case .role: "does not have \(label)"
    }
  }

  /// The name without the document: `owner by author`, `member by members`, `member`, `role == 'admin'`.
  var shortLabel: String {
    switch kind {
    case .existence: "member"
    case .owner, .member, .role: ofOwnDocument.label
    }
  }

  /// The client as the subject of a sentence.
  var subject: String {
    switch kind {
    case .existence, .owner, .member: "the \(label)"
    case .role: "a client with \(label)"
    }
  }

  /// A condition that is true of signed-in clients with the relation, and false (never an error) of
  /// all others.
  var condition: String {
    guard let document else {
      let after = "request.method == 'create' && " + test(on: "request.resource.data")
      return "(resource != null && \(test(on: "resource.data")) || \(after))"
    }
    let path = document.reduce(database.rulesText) { text, step in
      switch step {
      case .literal(let literal): text + "/$(\(literal.literal))"
      case .wildcard(let name): text + "/$(\(String(name)))"
      case .uid: text + "/$(request.auth.uid)"
      }
    }
    if kind == .existence { return "exists(\(path))" }
    return "(exists(\(path)) && \(test(on: "get(\(path)).data")))"
  }

  private func test(on data: String) -> String {
    let value = "\(data).get([\(field.literal)], null)"
    switch kind {
    case .owner: return "\(value) == request.auth.uid"
    case .member:
      return "(\(value) is list || \(value) is map) && request.auth.uid in \(value)"
    case .role(let literal): return "\(value) == \(literal.rulesText)"
    case .existence: return "true"
    }
  }
}
