import RulesEval
import RulesLang

extension JSONWriter {
  /// Writes a message as an object.
  mutating func message(_ message: WireMessage) {
    let spec = MessageSpec.all[Int(message.type.rawValue)]
    object { writer in
      var isFirst = true
      for slot in message.contents.indices where !message.contents[slot].isUnset {
        writer.key(spec.jsonNames[slot], isFirst: &isFirst)
        writer.content(message.contents[slot], of: spec.fields[slot])
      }
    }
  }

  private mutating func content(_ content: FieldValue, of field: FieldSpec) {
    switch content {
    case .unset: raw("null")
    case .bool(let flag): bool(flag)
    case .int(let number): self.number(number, of: field.kind)
    case .double(let number): double(number)
    case .text(let text): string(text)
    case .bytes(let octets): self.octets(octets)
    case .timestamp(let time): timestamp(time)
    case .value(let value): self.value(value)
    case .fields(let map): fields(map)
    case .message(let inner): message(inner)
    case .int32s(let list): self.list(list) { $0.int(Int64($1)) }
    case .texts(let list): self.list(list) { $0.string($1) }
    case .values(let list): self.list(list) { $0.value($1) }
    case .messages(let list): self.list(list) { $0.message($1) }
    case .labels:
      object { writer in
        var isFirst = true
        for label in [RequestLabel](kept: content) {
          writer.key(label.key, isFirst: &isFirst)
          writer.string(label.value)
        }
      }
    }
  }

  private mutating func number(_ number: Int64, of kind: FieldKind) {
    switch kind {
    case .int64, .int64Value: quoted(number)
    case .enumeration(let type):
      guard let name = type.names.first(where: { $0.number == number })?.name else {
        return int(number)
      }
      raw("\"")
      raw(name)
      raw("\"")
    case .bool, .int32, .string, .bytes, .message, .timestamp, .value, .fields, .labels,
      .int32Value, .doubleValue:
      int(number)
    }
  }
}
