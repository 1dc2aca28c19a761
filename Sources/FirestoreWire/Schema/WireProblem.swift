/// The reason why bytes or a JSON text are not a message.
public struct WireProblem: Error, Sendable, Equatable {
  /// The kind of a problem, which determines the answer.
  public enum Kind: Sendable, Equatable {
    /// The bytes or the text are not a message of the type.
    case malformed
    /// The message is well-formed but always invalid; the answer is INVALID_ARGUMENT with `message`.
    case invalidArgument
  }

  /// The kind of the problem, which determines the answer.
  public var kind: Kind
  /// The message of the answer, in the words of the official emulator if they are known.
  public var message: String
  /// The reason in our words, for the log, such as `the length 17 leaves the message`.
  public var detail: String
  /// The path of the field with the problem, such as `writes[0].update.fields.x`.
  public var place: String

  private init(_ kind: Kind, _ message: String, detail: String) {
    self.kind = kind
    self.message = message
    self.detail = detail
    place = ""
  }

  /// Returns the problem of bytes that are not protobuf of the message.
  static func protobuf(_ detail: String) -> Self {
    Self(.malformed, "Application error processing RPC", detail: detail)
  }

  /// Returns the problem of an invalid JSON text, or of one that is not the message.
  static func json(_ detail: String) -> Self {
    Self(.malformed, "Payload isn't valid for request.", detail: detail)
  }

  /// Returns the problem of an argument that is invalid in every request.
  static func argument(_ message: String) -> Self {
    Self(.invalidArgument, message, detail: message)
  }

  /// The problem of a value without a type.
  static var unsetValue: Self { argument("Cannot convert firestore.v1.Value with type unset.") }

  /// Returns the problem for the message that contains the field `step`.
  func inside(_ step: String) -> Self {
    var outer = self
    let joint = place.isEmpty || place.utf8.first == UInt8(ascii: "[") ? "" : "."
    outer.place = step + joint + place
    return outer
  }

  /// Returns the problem for the list that contains the element at `index`.
  func inside(elementAt index: Int) -> Self { inside("[\(index)]") }
}
