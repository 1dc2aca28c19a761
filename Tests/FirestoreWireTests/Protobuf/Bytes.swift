import RulesEval

/// Bytes as tests write them.
enum Bytes {
  /// Reads hexadecimal digits; blanks are passed over.
  static func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Writes hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
