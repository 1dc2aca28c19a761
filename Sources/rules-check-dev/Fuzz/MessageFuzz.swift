import FirestoreTransport
import FirestoreWire
import RulesLang

/// Bytes as messages of the service: a message that is read must be the same after being written and read
/// again.
enum MessageFuzz {
  /// Reads the bytes of a seed as one of the table's messages.
  static func play(seed: UInt64) -> TrialOutcome {
    var random = TrialRandom(seed: seed)
    let types = MessageType.allCases
    let type = types[types.index(types.startIndex, offsetBy: random.below(types.count))]
    let bytes = fields(&random, depth: 0)
    guard let message = try? WireMessage(protobuf: bytes, as: type, project: "p") else {
      return .refused
    }
    let written = message.protobuf(project: "p")
    guard let again = try? WireMessage(protobuf: written, as: type, project: "p") else {
      return .failed("\(type): what is written is not read")
    }
    if again.protobuf(project: "p") != written {
      return .failed("\(type): written twice, it differs")
    }
    let text = message.json(project: "p", layout: .compact)
    guard let read = try? WireMessage(jsonText: text, as: type, project: "p") else {
      return .failed("\(type): its JSON is not read")
    }
    return read.json(project: "p", layout: .compact) == text
      ? .taken : .failed("\(type): its JSON differs")
  }

  /// Returns fields with small numbers, mostly of the right length, some inside others.
  private static func fields(_ random: inout TrialRandom, depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<random.below(6) {
      let number = 1 + random.below(random.onceIn(4) ? 40 : 10)
      let wireType = [0, 1, 2, 2, 2, 2, 5, 3][random.below(8)]
      varint(UInt64(number << 3 | wireType), to: &bytes)
      switch wireType {
      case 0: varint(random.onceIn(3) ? random.next() : UInt64(random.below(4)), to: &bytes)
      case 1: bytes += random.bytes(8)
      case 5: bytes += random.bytes(4)
      case 2:
        let inner =
          depth < 6 && !random.onceIn(3)
          ? fields(&random, depth: depth + 1) : text(&random)
        varint(UInt64(random.onceIn(30) ? random.below(1 << 20) : inner.count), to: &bytes)
        bytes += inner
      default: break
      }
    }
    return bytes
  }

  private static func text(_ random: inout TrialRandom) -> [UInt8] {
    random.onceIn(8)
      ? random.bytes(random.below(40))
      : Array("projects/p/databases/d/documents/a/b".utf8.prefix(random.below(40)))
  }

  private static func varint(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
