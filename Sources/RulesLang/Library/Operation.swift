/// What a request does: the value of `request.method` (Docs/Language.md §4).
package enum Method: UInt8, CaseIterable, Sendable {
  case get, list, create, update, delete

  /// The word as rules and reports write it.
  package var word: String {
    switch self {
    case .get: "get"
    case .list: "list"
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    }
  }

  /// Whether the request changes a document.
  package var isWrite: Bool {
    switch self {
    case .get, .list: false
    case .create, .update, .delete: true
    }
  }
}

/// A set of methods: what an allow statement covers.
package struct MethodSet: OptionSet, Hashable, Sendable {
  /// One bit for each `Method`.
  package let rawValue: UInt8

  /// Makes a set of bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Makes the set of one method.
  package init(_ method: Method) { rawValue = 1 << method.rawValue }

  /// The methods of `read`.
  package static let read: MethodSet = [MethodSet(.get), MethodSet(.list)]
  /// The methods of `write`.
  package static let write: MethodSet = [
    MethodSet(.create), MethodSet(.update), MethodSet(.delete),
  ]

  /// Whether the method is in the set.
  package func contains(_ method: Method) -> Bool { contains(MethodSet(method)) }

  /// The methods in the set, in the order of `Method`.
  package var methods: [Method] { Method.allCases.filter { contains($0) } }
}

/// The operation words of `allow` statements.
package enum Operation {
  /// The words, as they are usually written.
  package static let words = ["read", "get", "list", "write", "create", "update", "delete"]

  /// The methods that a word covers, in any case of letters; nil for an unknown word.
  package static func methods(of word: Text) -> MethodSet? {
    switch String(word).lowercased() {
    case "read": .read
    case "write": .write
    case let name: Method.allCases.first { $0.word == name }.map { MethodSet($0) }
    }
  }
}
