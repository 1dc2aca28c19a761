import RulesLang

/// A row of the table of messages: the name of a message and its fields in the order of their numbers.
///
/// The protobuf and JSON forms of a message are both derived from this row. The index of a field in it is its
/// slot in a `WireMessage`.
public struct MessageSpec: Sendable {
  /// The described message.
  public let type: MessageType
  /// The full name in the protos.
  public let name: StaticString
  /// The fields, by slot.
  public let fields: [FieldSpec]
  /// The names of the fields in JSON, by slot.
  let jsonNames: [Text]
  /// The slot of the field that names the database of a request or a resource in it: a string, or a document.
  let resourceSlot: Int?
  /// The slot of each field number; `noSlot` for unused numbers.
  private let slots: [UInt8]

  private static let noSlot = UInt8.max

  /// Creates a row; `resource` is the slot of the field that names the database or a resource in it.
  init(_ type: MessageType, _ name: StaticString, resource: Int? = nil, _ fields: [FieldSpec]) {
    var fields = fields
    var oneofs: [String] = []
    for place in fields.indices {
      guard let oneof = fields[place].oneof?.description else { continue }
      if !oneofs.contains(oneof) { oneofs.append(oneof) }
      fields[place].group = UInt8((oneofs.firstIndex(of: oneof) ?? 0) + 1)
    }
    let greatest = fields.reduce(0) { max($0, Int($1.number)) }
    var slots = [UInt8](repeating: Self.noSlot, count: greatest + 1)
    for (slot, field) in fields.enumerated() { slots[Int(field.number)] = UInt8(slot) }
    self.type = type
    self.name = name
    self.fields = fields
    self.slots = slots
    jsonNames = fields.map { Text($0.jsonName) }
    resourceSlot = resource
  }

  /// All messages, in the order of `MessageType`.
  public static let all: [MessageSpec] = common + documents + queries + reads + writes + streams

  /// Returns the slot of the field with a number; nil if the message has none.
  func slot(ofNumber number: UInt32) -> Int? {
    guard number < UInt32(slots.count), slots[Int(number)] != Self.noSlot else { return nil }
    return Int(slots[Int(number)])
  }

  /// Returns the slot of the field with a name in either form that JSON allows; nil if the message has none.
  func slot(named name: Text) -> Int? {
    if let slot = jsonNames.firstIndex(where: { $0 == name }) { return slot }
    return fields.firstIndex { name == $0.name.description }
  }
}
