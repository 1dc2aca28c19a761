import RulesEval

/// The token by which clients name a snapshot: its time in microseconds, in a nested field (Docs/Emulator.md,
/// Listen). The server never reads it: after every token all documents are sent again.
enum ResumeToken {
  /// Returns the token of a time.
  static func bytes(of time: Timestamp) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = UInt64(bitPattern: time.epochSeconds * 1_000_000 + Int64(time.nanos) / 1_000)
    while rest >= 0x80 {
      digits.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    digits.append(UInt8(truncatingIfNeeded: rest))
    let inner: [UInt8] = [0x08] + digits
    return [0x0A, UInt8(inner.count)] + inner
  }
}
