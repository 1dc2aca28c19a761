/// A field of one type of message, by which the content of a message is read and set.
///
/// `Content` is how the field is read: presence is in the type, so that a member of a oneof is
/// `Text?` where an ordinary string is `Text`. The constants are named after message and field, without the
/// messages that the message is nested in: `StructuredQuery.FieldFilter.op` is `.fieldFilterOp`.
public struct Field<Content: FieldContent>: Sendable {
  /// The message that has the field.
  public let message: MessageType
  /// The position in the message's row of the table.
  let slot: Int

  /// Creates the constant of the field in a slot.
  init(_ message: MessageType, _ slot: Int) {
    self.message = message
    self.slot = slot
  }
}
