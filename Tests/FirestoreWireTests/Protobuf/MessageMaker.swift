import RulesEval
import RulesLang

@testable import FirestoreWire

/// Makes messages of the table at random.
struct MessageMaker {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(bound))
  }

  private mutating func word() -> UInt64 {
    UInt64(below(1 << 32)) << 32 | UInt64(below(1 << 32))
  }

  mutating func message(_ type: MessageType, depth: Int = 0) -> WireMessage {
    var message = WireMessage(type)
    for (slot, field) in type.spec.fields.enumerated() where below(3) > (depth > 4 ? 1 : 0) {
      if let content = content(of: field, depth: depth) { message[slot: slot] = content }
    }
    return message
  }

  private mutating func content(of field: FieldSpec, depth: Int) -> FieldValue? {
    if field.isRepeated { return list(of: field, depth: depth) }
    switch field.kind {
    case .bool:
      let flag = below(2) == 0
      return field.hasPresence ? flag.present : flag.kept
    case .int32:
      let number = Int32(truncatingIfNeeded: int())
      return field.hasPresence ? number.present : number.kept
    case .int64: return int().kept
    case .enumeration(let type):
      let names = type.names
      let number = below(8) == 0 ? 77 : names[below(names.count)].number
      return field.hasPresence ? number.present : number.kept
    case .string:
      let text = text()
      return field.hasPresence ? text.present : text.kept
    case .bytes:
      let octets = octets()
      return field.hasPresence ? octets.present : octets.kept
    case .message(let type): return depth > 9 ? nil : .message(message(type, depth: depth + 1))
    case .timestamp: return .timestamp(timestamp())
    case .value: return .value(value(depth: depth))
    case .fields: return map(depth: depth).kept
    case .labels: return [RequestLabel(text(), text()), RequestLabel("k", text())].kept
    case .int32Value: return .int(Int64(Int32(truncatingIfNeeded: int())))
    case .int64Value: return .int(int())
    case .doubleValue: return .double(double())
    }
  }

  private mutating func list(of field: FieldSpec, depth: Int) -> FieldValue? {
    let count = below(4)
    switch field.kind {
    case .int32: return (0..<count).map { _ in Int32(truncatingIfNeeded: int()) }.kept
    case .string: return (0..<count).map { _ in text() }.kept
    case .value: return (0..<count).map { _ in value(depth: depth) }.kept
    case .message(let type):
      return depth > 9 ? nil : (0..<count).map { _ in message(type, depth: depth + 1) }.kept
    default: return nil
    }
  }

  mutating func value(depth: Int) -> Value {
    switch below(depth > 6 ? 9 : 12) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .int(int())
    case 3: return .float(double())
    case 4: return .timestamp(timestamp())
    case 5: return .string(text())
    case 6: return .bytes(octets())
    case 7: return .latlng(LatLng(latitude: double(), longitude: double()))
    case 8:
      let other: [Text] = below(2) == 0 ? [] : ["projects", "other"]
      return .path(PathValue(plain: other + ["databases", "d", "documents", "a", text()]))
    case 9: return .vector((0..<below(4)).map { _ in double() })
    case 10: return .list((0..<below(4)).map { _ in value(depth: depth + 1) })
    default: return .map(map(depth: depth + 1))
    }
  }

  private mutating func map(depth: Int) -> MapValue {
    MapValue((0..<below(4)).map { _ in (text(), value(depth: depth + 1)) })
  }

  private mutating func int() -> Int64 {
    switch below(5) {
    case 0: [0, 1, -1, .max, .min][below(5)]
    case 1: Int64(below(300)) - 150
    default: Int64(bitPattern: word() >> UInt64(below(64)))
    }
  }

  private mutating func double() -> Double {
    switch below(4) {
    case 0: [0, -0.0, 1, -1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude][below(8)]
    case 1: Double(below(1000))
    default: Self.written(Double(bitPattern: word()))
    }
  }

  /// The one NaN that JSON can bring back.
  private static func written(_ number: Double) -> Double { number.isNaN ? .nan : number }

  private mutating func timestamp() -> Timestamp {
    let nanos = [0, 5_000_000, 123_456_000, 999_999_999][below(4)]
    let range = Timestamp.secondsRange
    let seconds = [range.lowerBound, range.upperBound, 0, Int64(below(1 << 33))][below(4)]
    return Timestamp(epochSeconds: seconds, nanos: Int64(nanos)) ?? .epoch
  }

  private mutating func octets() -> [UInt8] { (0..<below(9)).map { _ in UInt8(below(256)) } }

  private mutating func text() -> Text {
    let pieces: [Text] = ["a", "b", "Ü", "😀", "\"", "\\", "\n", "\u{1}", "\u{7f}", " ", "xyz"]
    var text = Text()
    for _ in 0..<below(6) { text.append(pieces[below(pieces.count)]) }
    if below(40) == 0 { text = Text(String(repeating: "long ", count: 60)) }
    return text
  }
}
