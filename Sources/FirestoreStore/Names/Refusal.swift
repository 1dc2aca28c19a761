import RulesLang

/// The refusal of a request: a gRPC code and a message in the words of the official emulator.
public struct Refusal: Error, Hashable, Sendable {
  /// The gRPC code: 3, 5, 6, 9 or 10, after none of which clients retry forever.
  public var code: Int
  /// The message, without the escapes of any protocol.
  public var message: String

  /// Creates a refusal.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  /// Returns the refusal of malformed arguments, INVALID_ARGUMENT.
  static func invalidArgument(_ message: String) -> Refusal { Refusal(code: 3, message: message) }

  /// Returns the refusal because a document is missing, NOT_FOUND.
  static func notFound(_ message: String) -> Refusal { Refusal(code: 5, message: message) }

  /// Returns the refusal because a document is stored, ALREADY_EXISTS.
  static func alreadyExists(_ message: String) -> Refusal { Refusal(code: 6, message: message) }

  /// Returns the refusal because of a state that must change first, FAILED_PRECONDITION.
  static func failedPrecondition(_ message: String) -> Refusal {
    Refusal(code: 9, message: message)
  }

  /// Returns the refusal after a lost race, ABORTED.
  static func aborted(_ message: String) -> Refusal { Refusal(code: 10, message: message) }

  /// The refusal of `__name__` where only a field is allowed.
  static let reservedKey = invalidArgument("the name __key__ is reserved")

  /// Maximum bytes of a client's text in a message. Names of documents have up to 1,500 bytes for each
  /// segment, but messages are sent in headers, which clients limit to 8 KiB.
  private static let longestQuotation = 3000

  /// Returns a text for a message, truncated if it is too long.
  static func quoting(_ text: Text) -> String {
    guard text.bytes.count > longestQuotation else { return String(text) }
    return String(Text(decoding: Array(text.bytes.prefix(longestQuotation)))) + "…"
  }
}
