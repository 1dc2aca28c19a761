/// A reason why bytes or a JSON text are not a message.
public struct WireProblem: Error, Sendable, Equatable {
  /// The kind of answer that a problem calls for.
  public enum Kind: Sendable, Equatable {
    /// The bytes or the text are no message of the type.
    case malformed
    /// The message is well-formed and can never be right: INVALID_ARGUMENT with `message`.
    case invalidArgument
  }

  /// The kind of answer that a problem calls for.
  public var kind: Kind
  /// The answer's text, in the words of the official emulator where they are known.
  public var message: String
  /// The reason in our words, for the log: `the length 17 leaves the message`.
  public var detail: String
  /// The field where it is, from the outermost message on: `writes[0].update.fields.x`.
  public var place: String

  private init(_ kind: Kind, _ message: String, detail: String) {
    self.kind = kind
    self.message = message
    self.detail = detail
    place = ""
  }

  /// Bytes that are no protobuf of the message.
  static func protobuf(_ detail: String) -> Self {
    Self(.malformed, "Application error processing RPC", detail: detail)
  }

  /// A JSON text that is none, or that does not fit the message.
  static func json(_ detail: String) -> Self {
    Self(.malformed, "Payload isn't valid for request.", detail: detail)
  }

  /// An argument that no request can have.
  static func argument(_ message: String) -> Self {
    Self(.invalidArgument, message, detail: message)
  }

  /// A value of no type.
  static var unsetValue: Self { argument("Cannot convert firestore.v1.Value with type unset.") }

  /// The problem as one of the message that has the field `step`.
  func inside(_ step: String) -> Self {
    var outer = self
    let joint = place.isEmpty || place.utf8.first == UInt8(ascii: "[") ? "" : "."
    outer.place = step + joint + place
    return outer
  }

  /// The problem as one of the list's element at `index`.
  func inside(elementAt index: Int) -> Self { inside("[\(index)]") }
}
