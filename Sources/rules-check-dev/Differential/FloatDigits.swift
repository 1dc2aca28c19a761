import RulesEval
import RulesLang

/// Handles floats inside texts, of which Java before version 19 prints some with superfluous digits
/// (Docs/Fidelity.md §13).
enum FloatDigits {
  /// Minimum digits of a float that may have superfluous ones.
  private static let suspicious = 17

  /// Returns a text in which every float with that many digits has the fewest that read back the same.
  static func fewest(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      guard byte.isDigit, let token = token(rest) else {
        result.append(byte)
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst(token.count)
      let digits = token.prefix { $0 != UInt8(ascii: "E") }.count { $0.isDigit }
      let value = FloatText.value(of: Text(String(decoding: token, as: UTF8.self)))
      if digits >= suspicious, token.contains(UInt8(ascii: ".")), let value {
        result += Array(FloatText.text(of: value).bytes)
      } else {
        result += token
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the number at the beginning, with a fraction and an exponent if it has any.
  private static func token(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let whole = bytes.prefix { $0.isDigit }
    var end = whole.endIndex
    guard bytes[end...].first == UInt8(ascii: ".") else { return whole }
    let fraction = bytes[(end + 1)...].prefix { $0.isDigit }
    if fraction.isEmpty { return whole }
    end = fraction.endIndex
    guard bytes[end...].first == UInt8(ascii: "E") else { return bytes[..<end] }
    let sign = bytes[(end + 1)...].prefix { $0 == UInt8(ascii: "-") }
    let exponent = bytes[sign.endIndex...].prefix { $0.isDigit }
    return exponent.isEmpty ? bytes[..<end] : bytes[..<exponent.endIndex]
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
