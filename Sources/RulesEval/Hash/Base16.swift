public import RulesLang

/// Octets as text in base 16, by RFC 4648: two digits an octet, letters in upper case.
public enum Base16 {
  /// The text for some octets. The result of `bytes.toHexString()`. (Docs/Language.md §8)
  public static func text(of octets: [UInt8]) -> Text {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count * 2)
    for octet in octets {
      result.append(digit(octet >> 4))
      result.append(digit(octet & 15))
    }
    return Text(wellFormed: result)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
