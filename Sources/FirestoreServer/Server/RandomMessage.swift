import FirestoreWire
import RulesEval

/// Random request messages for fuzzing: messages of the table with random fields, some of them damaged.
struct RandomMessage {
  private var dice: Dice
  /// Transactions that the server has begun.
  var transactions: [[UInt8]] = []

  /// Maximum depth of nested messages; deeper fields are left out.
  private static let greatestDepth = 9
  private static let texts = [
    "", "a", "b", "x", "__name__", "a.b", "`x y`", "__x__", "a/b", "x desc",
    "projects/p/databases/(default)", "projects/p/databases/(default)/documents",
    "projects/p/databases/(default)/documents/a/b", "projects/p/databases/(default)/documents/a/c",
    "projects/p/databases/(default)/documents/a/b/a/d",
    "projects/q/databases/other/documents/a/b", "projects/p/databases/(default)/documents/a",
  ]

  /// Creates the source of a seed.
  init(_ dice: Dice) { self.dice = dice }

  /// Returns the bytes of a message; about one in eight is damaged.
  mutating func bytes(of type: MessageType) -> [UInt8] {
    var bytes = message(type, depth: 0)
    guard dice.chance(12), !bytes.isEmpty else { return bytes }
    for _ in 0..<dice.roll(1...4) {
      let place = dice.roll(bytes.count)
      switch dice.roll(3) {
      case 0: bytes[place] = UInt8(dice.roll(256))
      case 1: bytes.insert(UInt8(dice.roll(256)), at: place)
      default: bytes.removeLast(min(bytes.count - 1, dice.roll(8)))
      }
    }
    return bytes
  }

  private mutating func message(_ type: MessageType, depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in type.spec.fields {
      // Names and documents are present in 85 % of the cases, other fields in 40 %.
      let isName = depth < 3 && (field.kind == .string || field.name.description == "document")
      guard dice.chance(isName ? 85 : 40) else { continue }
      for _ in 0..<(field.isRepeated ? dice.roll(1...3) : 1) {
        bytes += self.field(field.number, field.kind, depth: depth)
      }
    }
    return bytes
  }

  private mutating func field(_ number: UInt32, _ kind: FieldKind, depth: Int) -> [UInt8] {
    switch kind {
    case .bool, .enumeration: return key(number, 0) + varint(UInt64(dice.roll(6)))
    case .int32, .int64: return key(number, 0) + varint(integer())
    case .string: return block(number, Array(dice.pick(Self.texts).utf8))
    case .bytes:
      if !transactions.isEmpty, dice.chance(70) { return block(number, dice.pick(transactions)) }
      return block(number, dice.several(0...9) { UInt8($0.roll(256)) })
    case .message(let type):
      return depth < Self.greatestDepth ? block(number, message(type, depth: depth + 1)) : []
    case .timestamp:
      return block(
        number,
        key(1, 0) + varint(UInt64(1_800_000_000 + dice.roll(100))) + key(2, 0)
          + varint(UInt64(dice.roll(1_000_000_000))))
    case .value: return block(number, value(depth: depth))
    case .fields:
      let entry = block(1, Array(dice.pick(Self.texts).utf8)) + block(2, value(depth: depth))
      return block(number, entry)
    case .labels: return block(number, block(1, [0x61]) + block(2, [0x62]))
    case .int32Value, .int64Value: return block(number, key(1, 0) + varint(integer()))
    case .doubleValue: return block(number, key(1, 1) + double())
    }
  }

  private mutating func value(depth: Int) -> [UInt8] {
    guard depth < Self.greatestDepth else { return key(1, 0) + varint(1) }
    switch dice.roll(12) {
    case 0: return key(1, 0) + varint(UInt64(dice.roll(2)))
    case 1: return key(2, 0) + varint(integer())
    case 2: return key(3, 1) + double()
    case 3: return block(5, Array(dice.pick(Self.texts).utf8))
    case 4, 5:
      return block(
        6, block(1, Array(dice.pick(Self.texts).utf8)) + block(2, value(depth: depth + 2)))
    case 6: return block(8, key(1, 1) + double() + key(2, 1) + double())
    case 7: return block(9, block(1, value(depth: depth + 2)))
    case 8: return field(10, .timestamp, depth: depth)
    case 9: return key(11, 0) + varint(0)
    case 10: return block(17, Array(dice.pick(Self.texts).utf8))
    default: return block(18, [1, 2, 3])
    }
  }

  private mutating func integer() -> UInt64 {
    switch dice.roll(6) {
    case 0: UInt64(bitPattern: -1)
    case 1: UInt64(bitPattern: .max)
    case 2: UInt64(bitPattern: .min)
    default: UInt64(dice.roll(5))
    }
  }

  private mutating func double() -> [UInt8] {
    let number = dice.pick([0, 1, 1.5, -0.0, .nan, .infinity, 91, -.greatestFiniteMagnitude])
    return (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
  }

  private func key(_ number: UInt32, _ type: UInt64) -> [UInt8] {
    varint(UInt64(number) << 3 | type)
  }

  private func block(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
    key(number, 2) + varint(UInt64(content.count)) + content
  }

  private func varint(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
