public import RulesLang

/// Octets as text in base 64, by RFC 4648.
public struct Base64: Sendable {
  private let digits: [UInt8]

  /// The alphabet with `+` and `/`, which JSON uses for bytes.
  public static let standard = Base64(digit62: UInt8(ascii: "+"), digit63: UInt8(ascii: "/"))
  /// The alphabet with `-` and `_`, which `bytes.toBase64()` uses. (Docs/Language.md §8)
  public static let urlSafe = Base64(digit62: UInt8(ascii: "-"), digit63: UInt8(ascii: "_"))

  private init(digit62: UInt8, digit63: UInt8) {
    var digits: [UInt8] = []
    digits += UInt8(ascii: "A")...UInt8(ascii: "Z")
    digits += UInt8(ascii: "a")...UInt8(ascii: "z")
    digits += UInt8(ascii: "0")...UInt8(ascii: "9")
    digits += [digit62, digit63]
    self.digits = digits
  }

  /// The text for some octets, padded with `=` to a multiple of four characters.
  public func text(of octets: [UInt8]) -> Text {
    var result: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: 3) {
      let count = min(3, octets.count - start)
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < count ? UInt32(octets[start + index]) : 0)
      }
      for index in 0..<4 {
        let digit = digits[Int(group >> UInt32(18 - 6 * index) & 63)]
        result.append(index <= count ? digit : UInt8(ascii: "="))
      }
    }
    return Text(wellFormed: result)
  }

  /// Decodes a text; nil if it has other characters or an impossible length.
  ///
  /// The padding must be complete or missing. Bits of the last digit that do not make up an octet are
  /// ignored.
  public func octets(of text: Text) -> [UInt8]? {
    var characters = text.bytes[...]
    if characters.count % 4 == 0 {
      if characters.last == UInt8(ascii: "=") { characters.removeLast() }
      if characters.last == UInt8(ascii: "=") { characters.removeLast() }
    }
    guard characters.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in characters {
      guard let digit = value(of: character) else { return nil }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  private func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case digits[62]: 62
    case digits[63]: 63
    default: nil
    }
  }
}
