import RulesEval
import RulesLang

extension ProtobufWriter {
  /// Writes the fields of a message, in the order of their numbers.
  mutating func fields(of message: WireMessage) {
    let spec = MessageSpec.all[Int(message.type.rawValue)]
    for slot in message.contents.indices.reversed() {
      let field = spec.fields[slot]
      switch message.contents[slot] {
      case .unset: continue
      case .bool(let flag):
        bool(flag)
        tag(WireTag(field.number, .varint))
      case .int(let number): self.number(number, field)
      case .double(let number):
        wrapper(field) {
          $0.double(number); $0.tag(WireTag(1, .fixed64))
        }
      case .text(let text):
        self.text(text)
        tag(WireTag(field.number, .delimited))
      case .bytes(let octets):
        self.octets(octets)
        tag(WireTag(field.number, .delimited))
      case .timestamp(let time): timestamp(time, tag: WireTag(field.number, .delimited))
      case .value(let value): self.value(value, tag: WireTag(field.number, .delimited))
      case .fields(let map): entries(of: map, tag: WireTag(field.number, .delimited))
      case .message(let inner): embedded(inner, field)
      case .messages(let list): for inner in list.reversed() { embedded(inner, field) }
      case .int32s(let list): packed(list, field)
      case .texts(let list):
        for text in list.reversed() {
          self.text(text)
          tag(WireTag(field.number, .delimited))
        }
      case .values(let list):
        for value in list.reversed() { self.value(value, tag: WireTag(field.number, .delimited)) }
      case .labels: labels([RequestLabel](kept: message.contents[slot]), field)
      }
    }
  }

  private mutating func number(_ number: Int64, _ field: FieldSpec) {
    switch field.kind {
    case .int32Value, .int64Value:
      wrapper(field) {
        if number != 0 {
          $0.int(number)
          $0.tag(WireTag(1, .varint))
        }
      }
    case .bool, .int32, .int64, .string, .bytes, .enumeration, .message, .timestamp, .value,
      .fields, .labels, .doubleValue:
      int(number)
      tag(WireTag(field.number, .varint))
    }
  }

  /// Writes a message whose fields `body` writes.
  private mutating func wrapper(_ field: FieldSpec, _ body: (inout Self) -> Void) {
    let mark = count
    body(&self)
    length(since: mark)
    tag(WireTag(field.number, .delimited))
  }

  private mutating func embedded(_ inner: WireMessage, _ field: FieldSpec) {
    let mark = count
    fields(of: inner)
    length(since: mark)
    tag(WireTag(field.number, .delimited))
  }

  private mutating func packed(_ list: [Int32], _ field: FieldSpec) {
    let mark = count
    for number in list.reversed() { int(Int64(number)) }
    length(since: mark)
    tag(WireTag(field.number, .delimited))
  }

  private mutating func labels(_ list: [RequestLabel], _ field: FieldSpec) {
    for label in list.reversed() {
      let mark = count
      text(label.value)
      tag(.entryValue)
      text(label.key)
      tag(.key)
      length(since: mark)
      tag(WireTag(field.number, .delimited))
    }
  }
}
