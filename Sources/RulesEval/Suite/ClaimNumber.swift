import RulesLang

/// Decodes numbers of ID tokens as the rules see them (Docs/Language.md §9.3).
///
/// A token is JSON, whose numbers have one type: whole numbers that fit 64 bits are ints, however they are
/// written. As measured on the emulator, a number is whole if its double is, but the int has the exact
/// digits: `9007199254740993.0` is that int, and `1.0000000000000001` is 1.
package enum ClaimNumber {
  /// The value of a JSON number.
  package static func value(of text: String) -> Value {
    let number = Double(text) ?? .nan
    if let whole = whole(text), Double(whole) == number { return .int(whole) }
    return .float(number)
  }

  /// Returns the number truncated toward zero, exactly; nil if it does not fit.
  private static func whole(_ text: String) -> Int64? {
    var digits: [UInt8] = []
    // The number of digits before the decimal point.
    var places: Int?
    var exponent = 0
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): places = digits.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent = self.exponent(rest)
        places = places ?? digits.count
        rest = []
      default: digits.append(byte)
      }
    }
    var size = (places ?? digits.count) + exponent
    while digits.first == UInt8(ascii: "0") {
      digits.removeFirst()
      size -= 1
    }
    if digits.isEmpty || size <= 0 { return 0 }
    // No int of 64 bits has more digits.
    guard size <= 19 else { return nil }
    let zeros = Array(repeating: UInt8(ascii: "0"), count: max(0, size - digits.count))
    let whole = (isNegative ? [UInt8(ascii: "-")] : []) + digits.prefix(size) + zeros
    return Int64(String(decoding: whole, as: UTF8.self))
  }

  /// Returns an exponent; absurdly large ones are clamped to one that is still far too large.
  private static func exponent(_ digits: ArraySlice<UInt8>) -> Int {
    let far = 1_000_000_000
    let text = String(decoding: digits, as: UTF8.self)
    return Int(text).map { min(max($0, -far), far) }
      ?? (digits.first == UInt8(ascii: "-") ? -far : far)
  }
}
