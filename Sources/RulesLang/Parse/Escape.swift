/// The escapes of string and bytes literals (Docs/Language.md §2).
enum Escape {
  /// Returns the length of the escape that begins with the backslash at `start`; nil if it is none.
  static func length(in bytes: [UInt8], at start: Int) -> Int? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "f"),
      UInt8(ascii: "r"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
      return 2
    case UInt8(ascii: "x"): return digits(in: bytes, at: start + 2, 2) ? 4 : nil
    case UInt8(ascii: "u"): return digits(in: bytes, at: start + 2, 4) ? 6 : nil
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      guard start + 3 < bytes.count else { return nil }
      let octal = UInt8(ascii: "0")...UInt8(ascii: "7")
      return octal.contains(bytes[start + 2]) && octal.contains(bytes[start + 3]) ? 4 : nil
    default: return nil
    }
  }

  private static func digits(in bytes: [UInt8], at start: Int, _ count: Int) -> Bool {
    start + count <= bytes.count && bytes[start..<(start + count)].allSatisfy { $0.isHexDigit }
  }

  /// Returns the value of an escape.
  ///
  /// - Requires: `length(in:at:)` has accepted it.
  static func value(in bytes: [UInt8], at start: Int, length: Int) -> UInt32 {
    switch bytes[start + 1] {
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "x"), UInt8(ascii: "u"):
      return bytes[(start + 2)..<(start + length)].reduce(0) { $0 << 4 | UInt32($1.hexValue ?? 0) }
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      return bytes[(start + 1)..<(start + length)].reduce(0) { $0 << 3 | UInt32($1 - 0x30) }
    default: return UInt32(bytes[start + 1])
    }
  }

  /// Returns the text of a string token, without quotes and with escapes decoded.
  static func text(of token: ArraySlice<UInt8>) -> Text {
    let bytes = Array(token)
    var result = Text()
    var plainStart = 1
    var index = 1
    while index < bytes.count - 1 {
      guard bytes[index] == UInt8(ascii: "\\"), let length = length(in: bytes, at: index) else {
        index += 1
        continue
      }
      result.append(Text(wellFormed: Array(bytes[plainStart..<index])))
      result.append(value(in: bytes, at: index, length: length))
      index += length
      plainStart = index
    }
    result.append(Text(wellFormed: Array(bytes[plainStart..<max(plainStart, bytes.count - 1)])))
    return result
  }

  /// Returns the octets of a bytes token; nil if it has a `\u`, which is not allowed in bytes.
  static func octets(of token: ArraySlice<UInt8>) -> [UInt8]? {
    let bytes = Array(token)
    var result: [UInt8] = []
    var index = 2
    while index < bytes.count - 1 {
      guard bytes[index] == UInt8(ascii: "\\"), let length = length(in: bytes, at: index) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if bytes[index + 1] == UInt8(ascii: "u") { return nil }
      result.append(UInt8(truncatingIfNeeded: value(in: bytes, at: index, length: length)))
      index += length
    }
    return result
  }

  /// Returns the text of a path segment token: without the slash, URL-decoded, `+` a space; ill-formed UTF-8
  /// becomes U+FFFD.
  static func segment(of token: ArraySlice<UInt8>) -> Text {
    Text(urlDecoding: token.dropFirst())
  }
}
