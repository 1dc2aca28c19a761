/// Reads the numbers packed into a table of `UnicodeTables`.
///
/// The 64 digits are `0–9`, `A–Z`, `a–z`, `+`, `-`. A digit below 32 ends a number; one above adds
/// its five low bits and is followed by the next five, least significant first.
struct NumberReader {
  private let bytes: [UInt8]
  private var index = 0

  /// Starts at the beginning of a table.
  init(_ table: String) { bytes = Array(table.utf8) }

  /// The next number, or nil at the end.
  mutating func next() -> UInt32? {
    guard index < bytes.count else { return nil }
    var value: UInt32 = 0
    var shift: UInt32 = 0
    while index < bytes.count {
      let digit = Self.value(of: bytes[index])
      index += 1
      value |= (digit & 31) << shift
      if digit < 32 { break }
      shift += 5
    }
    return value
  }

  private static func value(of digit: UInt8) -> UInt32 {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 0x30
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 0x41 + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 0x61 + 36
    default: digit == UInt8(ascii: "+") ? 62 : 63
    }
  }
}
