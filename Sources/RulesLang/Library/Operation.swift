/// The method of a request: the value of `request.method` (Docs/Language.md §4).
public enum Method: UInt8, CaseIterable, Sendable {
  case get, list, create, update, delete

  /// The word as rules and reports write it.
  public var word: String {
    switch self {
    case .get: "get"
    case .list: "list"
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    }
  }

  /// True if the method changes a document.
  public var isWrite: Bool {
    switch self {
    case .get, .list: false
    case .create, .update, .delete: true
    }
  }
}

/// A set of methods: what an allow statement covers.
public struct MethodSet: OptionSet, Hashable, Sendable {
  /// One bit for each `Method`.
  public let rawValue: UInt8

  /// Creates a set of bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the set of one method.
  public init(_ method: Method) { rawValue = 1 << method.rawValue }

  /// The methods of `read`.
  public static let read: MethodSet = [MethodSet(.get), MethodSet(.list)]
  /// The methods of `write`.
  public static let write: MethodSet = [
    MethodSet(.create), MethodSet(.update), MethodSet(.delete),
  ]

  /// True if the method is in the set.
  public func contains(_ method: Method) -> Bool { contains(MethodSet(method)) }

  /// The methods in the set, in the order of `Method`.
  public var methods: [Method] { Method.allCases.filter { contains($0) } }
}

/// The operation words of `allow` statements.
public enum Operation {
  /// The words, as they are usually written.
  public static let words = ["read", "get", "list", "write", "create", "update", "delete"]

  /// The methods that a word covers, in any case of letters; nil for an unknown word.
  public static func methods(of word: Text) -> MethodSet? {
    switch String(word).lowercased() {
    case "read": .read
    case "write": .write
    case let name: Method.allCases.first { $0.word == name }.map { MethodSet($0) }
    }
  }
}
