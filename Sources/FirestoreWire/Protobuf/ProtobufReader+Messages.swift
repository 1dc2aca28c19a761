import RulesEval
import RulesLang

extension ProtobufReader {
  /// Reads fields up to the end of the innermost message into a message. As protobuf requires, scalars
  /// replace earlier ones, lists are appended, and messages are merged.
  mutating func fields(into message: inout WireMessage) throws(WireProblem) {
    let spec = MessageSpec.all[Int(message.type.rawValue)]
    while !isAtEnd {
      let tag = try tag()
      guard let slot = spec.slot(ofNumber: tag.number), let type = tag.type,
        Self.fits(type, spec.fields[slot])
      else {
        try skip(tag)
        continue
      }
      do {
        try field(spec.fields[slot], at: slot, packed: type == .delimited, into: &message)
      } catch {
        throw error.inside(spec.fields[slot].name.description)
      }
    }
  }

  /// Returns true if a field can have a layout; fields with other layouts are skipped like unknown fields.
  private static func fits(_ type: WireType, _ field: FieldSpec) -> Bool {
    switch field.kind {
    case .bool, .int64, .enumeration: type == .varint
    case .int32: type == .varint || (field.isRepeated && type == .delimited)
    case .string, .bytes, .message, .timestamp, .value, .fields, .labels, .int32Value, .int64Value,
      .doubleValue:
      type == .delimited
    }
  }

  private mutating func field(
    _ field: FieldSpec, at slot: Int, packed: Bool, into message: inout WireMessage
  ) throws(WireProblem) {
    switch field.kind {
    case .bool:
      let flag = try bool()
      message[slot: slot] = flag || field.hasPresence ? .bool(flag) : .unset
    case .int32 where field.isRepeated: try int32s(packed: packed, at: slot, into: &message)
    case .int32, .enumeration: set(Int64(try int32()), field, at: slot, of: &message)
    case .int64: set(try int64(), field, at: slot, of: &message)
    case .string:
      let text = try text()
      if field.isRepeated {
        append(text, at: slot, into: &message)
      } else {
        message[slot: slot] = text.isEmpty && !field.hasPresence ? .unset : .text(text)
      }
    case .bytes:
      let octets = try octets()
      message[slot: slot] = octets.isEmpty && !field.hasPresence ? .unset : .bytes(octets)
    case .message(let type): try embedded(type, field, at: slot, into: &message)
    case .timestamp:
      message[slot: slot] = .timestamp(
        try timestamp(merging: Timestamp?(kept: message[slot: slot])))
    case .value: try value(field, at: slot, into: &message)
    case .fields: try mapEntry(at: slot, into: &message)
    case .labels: try label(at: slot, into: &message)
    case .int32Value:
      message[slot: slot] = .int(
        try wrapped(merging: Int64?(kept: message[slot: slot]), isShort: true))
    case .int64Value:
      message[slot: slot] = .int(
        try wrapped(merging: Int64?(kept: message[slot: slot]), isShort: false))
    case .doubleValue:
      message[slot: slot] = .double(try wrappedDouble(merging: Double?(kept: message[slot: slot])))
    }
  }

  private func set(
    _ number: Int64, _ field: FieldSpec, at slot: Int, of message: inout WireMessage
  ) {
    message[slot: slot] = number == 0 && !field.hasPresence ? .unset : .int(number)
  }

  private mutating func embedded(
    _ type: MessageType, _ field: FieldSpec, at slot: Int, into message: inout WireMessage
  ) throws(WireProblem) {
    try countMessage()
    let outer = try enter()
    if field.isRepeated {
      var element = WireMessage(type)
      do { try fields(into: &element) } catch {
        throw error.inside(elementAt: [WireMessage](kept: message[slot: slot]).count)
      }
      message.append(element, at: slot)
    } else {
      var inner = WireMessage(type)
      if case .message(let old) = message.take(slot) { inner = old }
      try fields(into: &inner)
      message[slot: slot] = .message(inner)
    }
    leave(to: outer)
  }

  // MARK: Lists

  private mutating func int32s(
    packed: Bool, at slot: Int, into message: inout WireMessage
  ) throws(WireProblem) {
    var list: [Int32] = []
    if case .int32s(let old) = message.take(slot) { list = old }
    if packed {
      let outer = try enterPacked()
      while !isAtEnd { list.append(try int32()) }
      leavePacked(to: outer)
    } else {
      list.append(try int32())
    }
    message[slot: slot] = list.kept
  }

  private func append(_ text: Text, at slot: Int, into message: inout WireMessage) {
    var list: [Text] = []
    if case .texts(let old) = message.take(slot) { list = old }
    list.append(text)
    message[slot: slot] = .texts(list)
  }

  private mutating func value(
    _ field: FieldSpec, at slot: Int, into message: inout WireMessage
  ) throws(WireProblem) {
    guard field.isRepeated else {
      let old = Value?(kept: message.take(slot))
      message[slot: slot] = .value(try value(merging: old))
      return
    }
    var list: [Value] = []
    if case .values(let old) = message.take(slot) { list = old }
    do { list.append(try value(merging: nil)) } catch { throw error.inside(elementAt: list.count) }
    message[slot: slot] = .values(list)
  }

  private mutating func mapEntry(
    at slot: Int, into message: inout WireMessage
  ) throws(WireProblem) {
    var map = MapValue()
    if case .fields(let old) = message.take(slot) { map = old }
    try entry(into: &map)
    message[slot: slot] = .fields(map)
  }

  /// Reads an entry of the labels; a repeated key replaces the value.
  private mutating func label(at slot: Int, into message: inout WireMessage) throws(WireProblem) {
    var labels = MapValue()
    if case .labels(let old) = message.take(slot) { labels = old }
    var label = RequestLabel(Text(), Text())
    try countMessage()
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      switch tag {
      case .key: label.key = try text()
      case .entryValue: label.value = try text()
      default: try skip(tag)
      }
    }
    leave(to: outer)
    labels[label.key] = .string(label.value)
    message[slot: slot] = .labels(labels)
  }

  // MARK: Wrappers

  private mutating func wrapped(
    merging old: Int64?, isShort: Bool
  ) throws(WireProblem) -> Int64 {
    var number = old ?? 0
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      if tag == WireTag(1, .varint) {
        number = isShort ? Int64(try int32()) : try int64()
      } else {
        try skip(tag)
      }
    }
    leave(to: outer)
    return number
  }

  private mutating func wrappedDouble(merging old: Double?) throws(WireProblem) -> Double {
    var number = old ?? 0
    let outer = try enter()
    while !isAtEnd {
      let tag = try tag()
      if tag == WireTag(1, .fixed64) { number = try double() } else { try skip(tag) }
    }
    leave(to: outer)
    return number
  }
}
