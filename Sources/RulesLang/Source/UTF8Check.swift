/// Finds ill-formed UTF-8, by the table of well-formed sequences (Unicode standard, table 3-7).
public enum UTF8Check {
  /// The offset of the first byte that is not part of a well-formed sequence, or nil.
  public static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        index += 1
        continue
      }
      let length = sequenceLength(bytes, at: index)
      if length == 0 { return index }
      index += length
    }
    return nil
  }

  /// The length of the well-formed multi-byte sequence at `index`, or 0.
  private static func sequenceLength(_ bytes: [UInt8], at index: Int) -> Int {
    let lead = bytes[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return 0
    }
    if lead == 0xE0 { second = 0xA0...0xBF }
    if lead == 0xED { second = 0x80...0x9F }
    if lead == 0xF0 { second = 0x90...0xBF }
    if lead == 0xF4 { second = 0x80...0x8F }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for next in bytes[(index + 2)..<max(index + 2, index + length)] where next & 0xC0 != 0x80 {
      return 0
    }
    return length
  }
}
