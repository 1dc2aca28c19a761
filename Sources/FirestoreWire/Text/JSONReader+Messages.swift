import RulesEval
import RulesLang

extension JSONReader {
  /// Reads a message from an object. Keys may be names of the proto; a member with null is ignored.
  mutating func message(_ json: JSON, as type: MessageType) throws(WireProblem) -> WireMessage {
    var message = WireMessage(type)
    let spec = MessageSpec.all[Int(type.rawValue)]
    var seen: UInt32 = 0
    try countMessage()
    for member in try enter(json) {
      guard let slot = spec.slot(named: member.key) else {
        throw WireProblem.json("\(spec.name.description) has no such field")
          .inside(String(member.key))
      }
      if case .null = member.value.kind { continue }
      let field = spec.fields[slot]
      do {
        try Self.note(slot, of: spec, in: &seen)
        message[slot: slot] = try content(member.value, of: field)
      } catch {
        throw error.inside(field.jsonName)
      }
    }
    leave()
    return message
  }

  /// Records a field. Throws if it occurs twice, or is the second member of a oneof.
  private static func note(
    _ slot: Int, of spec: MessageSpec, in seen: inout UInt32
  ) throws(WireProblem) {
    if seen & (1 << UInt32(slot)) != 0 { throw .json("the field is repeated here") }
    let group = spec.fields[slot].group
    for other in spec.fields.indices where seen & (1 << UInt32(other)) != 0 && group != 0 {
      if spec.fields[other].group == group {
        throw .json("only one of `\(String(spec.jsonNames[other]))` and this field can be set")
      }
    }
    seen |= 1 << UInt32(slot)
  }

  private mutating func content(
    _ json: JSON, of field: FieldSpec
  ) throws(WireProblem) -> FieldValue {
    if field.isRepeated { return try list(json, of: field) }
    switch field.kind {
    case .bool: return Self.kept(try Self.bool(json), field)
    case .int32: return Self.kept(try Self.int32(json), field)
    case .int64: return Self.kept(try Self.int64(json), field)
    case .enumeration(let type):
      let number = try Self.enumeration(json, type)
      return number == 0 && !field.hasPresence ? .unset : .int(number)
    case .string: return Self.kept(try Self.text(json), field)
    case .bytes: return Self.kept(try Self.octets(json), field)
    case .message(let type): return .message(try message(json, as: type))
    case .timestamp: return .timestamp(try Self.timestamp(json))
    case .value: return .value(try value(json))
    case .fields: return try fields(json).kept
    case .labels: return try labels(json)
    case .int32Value: return .int(Int64(try Self.int32(json)))
    case .int64Value: return .int(try Self.int64(json))
    case .doubleValue: return .double(try Self.double(json))
    }
  }

  /// Returns the stored field of a scalar; a default is stored only for fields with presence.
  private static func kept<Content: FieldContent & PresentContent>(
    _ content: Content, _ field: FieldSpec
  ) -> FieldValue { field.hasPresence ? content.present : content.kept }

  private mutating func list(_ json: JSON, of field: FieldSpec) throws(WireProblem) -> FieldValue {
    switch field.kind {
    case .int32:
      return try elements(json) { _, json throws(WireProblem) in try Self.int32(json) }.kept
    case .string:
      return try elements(json) { _, json throws(WireProblem) in try Self.text(json) }.kept
    case .value:
      return try elements(json) { reader, json throws(WireProblem) in try reader.value(json) }.kept
    case .message(let type):
      return try elements(json) { reader, json throws(WireProblem) in
        try reader.message(json, as: type)
      }.kept
    case .bool, .int64, .enumeration, .bytes, .timestamp, .fields, .labels, .int32Value,
      .int64Value, .doubleValue:
      // The table has no repeated fields of these types.
      throw Self.wrong(json, "one value")
    }
  }

  /// Reads the elements of a list.
  mutating func elements<Element>(
    _ json: JSON, _ read: (inout Self, JSON) throws(WireProblem) -> Element
  ) throws(WireProblem) -> [Element] {
    let list = try Self.list(json)
    var elements: [Element] = []
    elements.reserveCapacity(list.count)
    for json in list {
      do { elements.append(try read(&self, json)) } catch {
        throw error.inside(elementAt: elements.count)
      }
    }
    return elements
  }

  private mutating func labels(_ json: JSON) throws(WireProblem) -> FieldValue {
    var labels = MapValue()
    for member in try enter(json) {
      try countMessage()
      do {
        labels[WireText.repaired(member.key)] = .string(try Self.text(member.value))
      } catch {
        throw error.inside(String(member.key))
      }
    }
    leave()
    return labels.count == 0 ? .unset : .labels(labels)
  }
}
