import RulesEval
import RulesLang

@testable import FirestoreWire

/// Protobuf in the plainest way: forwards, each message an array of its own.
enum ReferenceEncoder {
  static func message(_ message: WireMessage, project: Text) -> [UInt8] {
    var bytes: [UInt8] = []
    for (slot, content) in message.contents.enumerated() {
      bytes += field(content, message.type.spec.fields[slot], project)
    }
    return bytes
  }

  private static func field(
    _ content: FieldValue, _ field: FieldSpec, _ project: Text
  ) -> [UInt8] {
    let number = UInt64(field.number)
    switch content {
    case .unset: return []
    case .bool(let flag): return varint(number << 3) + [flag ? 1 : 0]
    case .int(let value):
      let plain = varint(UInt64(bitPattern: value))
      switch field.kind {
      case .int32Value, .int64Value: return part(number, value == 0 ? [] : [0x08] + plain)
      default: return varint(number << 3) + plain
      }
    case .double(let value): return part(number, [0x09] + fixed(value))
    case .text(let text): return part(number, text.bytes)
    case .bytes(let octets): return part(number, octets)
    case .timestamp(let time): return part(number, timestamp(time))
    case .value(let value): return part(number, Self.value(value, project))
    case .fields(let map): return entries(map, number, project)
    case .message(let inner): return part(number, message(inner, project: project))
    case .int32s(let list):
      return part(number, list.flatMap { varint(UInt64(bitPattern: Int64($0))) })
    case .texts(let list): return list.flatMap { part(number, $0.bytes) }
    case .values(let list): return list.flatMap { part(number, value($0, project)) }
    case .messages(let list): return list.flatMap { part(number, message($0, project: project)) }
    case .labels:
      return [RequestLabel](kept: content).flatMap {
        part(number, part(1, $0.key.bytes) + part(2, $0.value.bytes))
      }
    }
  }

  private static func value(_ value: Value, _ project: Text) -> [UInt8] {
    switch value {
    case .bool(let flag): return [0x08, flag ? 1 : 0]
    case .int(let number): return [0x10] + varint(UInt64(bitPattern: number))
    case .float(let number): return [0x19] + fixed(number)
    case .path(let path):
      let text = String(path.text)
      let isOwn = text.hasPrefix("/databases/")
      return part(
        5, Array((isOwn ? "projects/\(String(project))\(text)" : String(text.dropFirst())).utf8))
    case .map(let map): return part(6, entries(map, 1, project))
    case .latlng(let point):
      let latitude = point.latitude.bitPattern == 0 ? [] : [0x09] + fixed(point.latitude)
      let longitude = point.longitude.bitPattern == 0 ? [] : [0x11] + fixed(point.longitude)
      return part(8, latitude + longitude)
    case .list(let list): return part(9, list.flatMap { part(1, Self.value($0, project)) })
    case .timestamp(let time): return part(10, timestamp(time))
    case .string(let text): return part(17, text.bytes)
    case .bytes(let octets): return part(18, octets)
    case .vector(let numbers):
      let list = Value.list(numbers.map { .float($0) })
      let map = MapValue([("__type__", .string("__vector__")), ("value", list)])
      return part(6, entries(map, 1, project))
    default: return [0x58, 0]
    }
  }

  private static func entries(_ map: MapValue, _ number: UInt64, _ project: Text) -> [UInt8] {
    map.flatMap { part(number, part(1, $0.0.bytes) + part(2, value($0.1, project))) }
  }

  private static func timestamp(_ time: Timestamp) -> [UInt8] {
    let seconds = UInt64(bitPattern: time.epochSeconds)
    return (seconds == 0 ? [] : [0x08] + varint(seconds))
      + (time.nanos == 0 ? [] : [0x10] + varint(UInt64(time.nanos)))
  }

  private static func part(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(content.count)) + content
  }

  private static func fixed(_ number: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * $0)) }
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
  }
}
