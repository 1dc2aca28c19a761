/// A field of one message type, by which the content of a message is read and set.
///
/// `Content` is the type of the content, which includes presence: a member of a oneof is a `Text?` where an
/// ordinary string is a `Text`. Constants are named after message and field, without the outer messages of a
/// nested one: `StructuredQuery.FieldFilter.op` is `.fieldFilterOp`.
public struct Field<Content: FieldContent>: Sendable {
  /// The message that has the field.
  public let message: MessageType
  /// The index of the field in the message's row of the table.
  let slot: Int

  /// Creates the constant of the field in a slot.
  init(_ message: MessageType, _ slot: Int) {
    self.message = message
    self.slot = slot
  }
}
