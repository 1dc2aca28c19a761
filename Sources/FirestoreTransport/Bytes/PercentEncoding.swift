/// Percent-encoding of URLs (RFC 3986 §2.1) and of `grpc-message`.
enum PercentEncoding {
  /// Returns the decoded text; a `%` without two hexadecimal digits is kept.
  ///
  /// - Parameter readsPlus: True if `+` is a space, as in forms and queries.
  static func decode(_ encoded: Substring, readsPlus: Bool = false) -> String {
    let bytes = Array(encoded.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
        let high = bytes[place + 1].hexadecimalValue, let low = bytes[place + 2].hexadecimalValue
      {
        result.append(high << 4 | low)
        place += 3
      } else {
        let isSpace = readsPlus && bytes[place] == UInt8(ascii: "+")
        result.append(isSpace ? 0x20 : bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a status message as the value of `grpc-message`, truncated before the first character that
  /// exceeds `limit` bytes. As on Google's emulator, `%`, `~` and everything except printable ASCII are
  /// escaped.
  static func statusMessage(_ message: String, limit: Int) -> String {
    var result: [UInt8] = []
    for scalar in message.unicodeScalars {
      let whole = result.count
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        if byte >= 0x20 && byte < UInt8(ascii: "~") && byte != UInt8(ascii: "%") {
          result.append(byte)
        } else {
          result.append(UInt8(ascii: "%"))
          result.append(.hexadecimalDigit(byte >> 4))
          result.append(.hexadecimalDigit(byte))
        }
      }
      guard result.count <= limit else {
        result.removeSubrange(whole...)
        break
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
