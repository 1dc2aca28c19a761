/// A map that the engine itself makes, so that its keys are known (Docs/Language.md §9).
package enum Record: UInt8, Sendable {
  case request, query, auth, token, firebase, resource

  /// One key of a record.
  package struct Member: Sendable {
    /// The key.
    package var name: Text
    /// The types that its value can have.
    package var types: TypeSet
    /// The record that is its value, if it is one.
    package var record: Record?
  }

  /// The keys, documented ones first.
  package var members: [Member] {
    switch self {
    case .request: Self.requestMembers
    case .query: Self.queryMembers
    case .auth: Self.authMembers
    case .token: Self.tokenMembers
    case .firebase: Self.firebaseMembers
    case .resource: Self.resourceMembers
    }
  }

  /// True if there can be other keys: a token has any claims that it was given.
  package var isOpen: Bool { self == .token }

  /// The notation of the record in rules.
  package var name: String {
    switch self {
    case .request: "request"
    case .query: "request.query"
    case .auth: "request.auth"
    case .token: "request.auth.token"
    case .firebase: "request.auth.token.firebase"
    case .resource: "resource"
    }
  }

  /// Returns the key with this name.
  package func member(_ name: Text) -> Member? { members.first { $0.name == name } }

  private static let requestMembers: [Member] = [
    Member(name: "auth", types: [.map, .null], record: .auth),
    Member(name: "method", types: .string), Member(name: "path", types: .path),
    Member(name: "time", types: .timestamp),
    Member(name: "query", types: .map, record: .query),
    Member(name: "resource", types: [.map, .null], record: .resource),
    Member(name: "headers", types: .map), Member(name: "inTransaction", types: .bool),
    Member(name: "fields", types: .null), Member(name: "transforms", types: [.list, .null]),
    Member(name: "writeFields", types: [.list, .null]), Member(name: "readFields", types: .null),
    Member(name: "autoId", types: .bool),
  ]

  private static let queryMembers: [Member] = [
    Member(name: "limit", types: [.int, .null]), Member(name: "offset", types: .int),
    Member(name: "orderBy", types: .map), Member(name: "kind", types: .string),
    Member(name: "parent", types: [.path, .null]), Member(name: "ancestor", types: [.path, .null]),
    Member(name: "allDescendants", types: .bool), Member(name: "distinct", types: .bool),
    Member(name: "selectOnlyKeys", types: .bool), Member(name: "groupBy", types: .map),
  ]

  private static let authMembers: [Member] = [
    Member(name: "uid", types: [.string, .null]),
    Member(name: "token", types: .map, record: .token),
  ]

  /// The claims that Firebase itself puts into tokens, with their types.
  private static let tokenMembers: [Member] = [
    Member(name: "email", types: [.string, .null]),
    Member(name: "email_verified", types: [.bool, .null]),
    Member(name: "phone_number", types: [.string, .null]),
    Member(name: "name", types: [.string, .null]), Member(name: "sub", types: .string),
    Member(name: "user_id", types: .string), Member(name: "picture", types: [.string, .null]),
    Member(name: "iss", types: .string), Member(name: "aud", types: .string),
    Member(name: "iat", types: [.int, .float]), Member(name: "exp", types: [.int, .float]),
    Member(name: "auth_time", types: [.int, .float]),
    Member(name: "firebase", types: .map, record: .firebase),
  ]

  private static let firebaseMembers: [Member] = [
    Member(name: "sign_in_provider", types: .string), Member(name: "identities", types: .map),
    Member(name: "tenant", types: [.string, .null]),
    Member(name: "sign_in_second_factor", types: .string),
    Member(name: "second_factor_identifier", types: .string),
    Member(name: "sign_in_attributes", types: .map),
  ]

  private static let resourceMembers: [Member] = [
    Member(name: "data", types: .map), Member(name: "id", types: .string),
    Member(name: "__name__", types: [.path, .constraint]),
  ]
}
