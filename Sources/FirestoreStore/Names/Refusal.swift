import RulesLang

/// A request that the server refuses: a gRPC code and the words of the official emulator.
public struct Refusal: Error, Hashable, Sendable {
  /// The gRPC code: 3, 5, 6, 9 or 10, none of which makes clients try again for ever.
  public var code: Int
  /// The message, not escaped for any protocol.
  public var message: String

  /// Makes a refusal.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  /// Makes a refusal of malformed arguments, INVALID_ARGUMENT.
  static func invalidArgument(_ message: String) -> Refusal { Refusal(code: 3, message: message) }

  /// Makes a refusal of a document that is missing, NOT_FOUND.
  static func notFound(_ message: String) -> Refusal { Refusal(code: 5, message: message) }

  /// Makes a refusal of a document that is stored, ALREADY_EXISTS.
  static func alreadyExists(_ message: String) -> Refusal { Refusal(code: 6, message: message) }

  /// Makes a refusal of a state that must change first, FAILED_PRECONDITION.
  static func failedPrecondition(_ message: String) -> Refusal {
    Refusal(code: 9, message: message)
  }

  /// Makes a refusal of a lost race, ABORTED.
  static func aborted(_ message: String) -> Refusal { Refusal(code: 10, message: message) }

  /// The refusal of a field that is the name of the document where only fields can be.
  static let reservedKey = invalidArgument("the name __key__ is reserved")

  /// The bytes of a client's text that a message quotes. A document's name has at most 1,500 bytes a
  /// segment; clients take no more than 8 KiB of headers, in which messages go.
  private static let longestQuotation = 3000

  /// Returns a text for a message, cut where it is too long.
  static func quoting(_ text: Text) -> String {
    guard text.bytes.count > longestQuotation else { return String(text) }
    return String(Text(decoding: Array(text.bytes.prefix(longestQuotation)))) + "…"
  }
}
