extension Literal {
  /// The literal as source text of the rules language. The least int is valid only behind its sign; no
  /// literal is a negative number.
  public var rulesText: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): "\(number)"
    case .float(let number): number.rulesText
    case .string(let text): text.literal
    case .bytes(let octets): octets.rulesText
    }
  }
}

extension Double {
  /// The number as source text of the rules language, which has no exponents.
  ///
  /// - Requires: It is not negative, and not NaN.
  public var rulesText: String {
    // A literal that is too large for a double is infinite.
    if isInfinite { return "1" + String(repeating: "0", count: 309) + ".0" }
    let parts = "\(self)".split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "\(self)" }
    let mantissa = parts[0].split(separator: ".")
    let digits = String(mantissa[0]) + (mantissa.count > 1 ? String(mantissa[1]) : "")
    let point = mantissa[0].count + exponent
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count {
      return digits + String(repeating: "0", count: point - digits.count) + ".0"
    }
    return String(digits.prefix(point)) + "." + String(digits.dropFirst(point))
  }
}

extension [UInt8] {
  /// The octets as source text of the rules language: `b'\xFF'`.
  public var rulesText: String {
    var text = "b'"
    for octet in self {
      let isPlain = (0x20...0x7E).contains(octet) && octet != 0x27 && octet != 0x5C
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(octet))
      } else {
        let digits = String(octet, radix: 16)
        text += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text + "'"
  }
}
