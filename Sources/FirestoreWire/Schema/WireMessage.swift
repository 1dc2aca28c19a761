public import RulesLang

/// A message of any type of the table, stored as one array of its fields.
///
/// `message[.commitRequestWrites]` reads and sets a field. Unknown fields are not stored.
///
/// - Requires: Fields are those of the message's type; other ones trap.
public struct WireMessage: Sendable {
  /// The type of the message.
  public let type: MessageType
  /// The fields by slot; empty until the first one is set.
  private(set) var contents: [FieldValue] = []

  /// Creates an empty message.
  public init(_ type: MessageType) { self.type = type }

  /// Creates a message and sets its fields: `WireMessage(.status) { $0[.statusCode] = 7 }`.
  public init<Failure: Error>(
    _ type: MessageType, _ fill: (inout WireMessage) throws(Failure) -> Void
  ) throws(Failure) {
    self.init(type)
    try fill(&self)
  }

  /// The content of a field. Setting a member of a oneof unsets the other members; nil and, for fields
  /// without presence, the default unset the field.
  public subscript<Content>(_ field: Field<Content>) -> Content {
    get {
      precondition(field.message == type)
      return Content(kept: self[slot: field.slot])
    }
    set {
      precondition(field.message == type)
      self[slot: field.slot] = newValue.kept
    }
  }

  /// Appends a message to a list of messages without copying the list.
  public mutating func append(_ element: WireMessage, to field: Field<[WireMessage]>) {
    precondition(field.message == type)
    append(element, at: field.slot)
  }

  /// Returns true if a field is set; a field without presence must have another value than the default.
  public func has<Content>(_ field: Field<Content>) -> Bool {
    precondition(field.message == type)
    return !self[slot: field.slot].isUnset
  }

  /// The resource of a request, from its `database`, `parent`, `name` or the name of its document; nil for
  /// other messages.
  public var resource: Text? {
    guard let slot = type.spec.resourceSlot else { return nil }
    switch self[slot: slot] {
    case .text(let name): return name
    case .message(let document): return document[.documentName]
    case .unset: return Text()
    case .bool, .int, .double, .bytes, .timestamp, .value, .fields, .int32s, .texts, .values,
      .messages, .labels:
      return nil
    }
  }

  /// The content of a slot.
  subscript(slot slot: Int) -> FieldValue {
    get { contents.isEmpty ? .unset : contents[slot] }
    set {
      if contents.isEmpty {
        if newValue.isUnset { return }
        contents = Array(repeating: .unset, count: MessageSpec.all[Int(type.rawValue)].fields.count)
      }
      if !newValue.isUnset { unsetOthers(of: slot) }
      contents[slot] = newValue
    }
  }

  /// Appends a message to the list in a slot.
  mutating func append(_ element: WireMessage, at slot: Int) {
    guard case .messages(var list) = take(slot) else {
      self[slot: slot] = .messages([element])
      return
    }
    list.append(element)
    contents[slot] = .messages(list)
  }

  /// Takes the content out of a slot, which is unset until the content is put back, to change it in place.
  mutating func take(_ slot: Int) -> FieldValue {
    if contents.isEmpty { return .unset }
    let kept = contents[slot]
    contents[slot] = .unset
    return kept
  }

  private mutating func unsetOthers(of slot: Int) {
    let spec = MessageSpec.all[Int(type.rawValue)]
    let group = spec.fields[slot].group
    if group == 0 { return }
    for other in spec.fields.indices where other != slot && spec.fields[other].group == group {
      contents[other] = .unset
    }
  }
}
