import RulesLang

/// Decodes URL escapes at run time, as `path(string)` does: exactly as Java's decoder, also in what it
/// refuses (Docs/Language.md §8).
enum URLText {
  /// Returns a segment with `%HH` and `+` decoded.
  static func decoded(_ segment: Text) throws(EvaluationError.Reason) -> Text {
    let units = Array(segment.units)
    var result = Text()
    var index = 0
    while index < units.count {
      switch units[index] {
      case UInt16(ascii: "+"):
        result.append(UInt32(UInt8(ascii: " ")))
        index += 1
      case UInt16(ascii: "%"):
        result.append(Text(escapedOctets: try octets(in: units, from: &index, of: segment)))
      default:
        result.append(UInt32(units[index]))
        index += 1
      }
    }
    return result
  }

  /// Decodes a run of escapes.
  private static func octets(
    in units: [UInt16], from index: inout Int, of segment: Text
  ) throws(EvaluationError.Reason) -> [UInt8] {
    var octets: [UInt8] = []
    while index < units.count, units[index] == UInt16(ascii: "%") {
      guard index + 2 < units.count else {
        throw .undecodableSegment(segment, "Incomplete trailing escape (%) pattern")
      }
      octets.append(try octet(units[index + 1], then: units[index + 2], of: segment))
      index += 3
    }
    return octets
  }

  /// Decodes two digits, of which the first may be a sign.
  private static func octet(
    _ first: UInt16, then second: UInt16, of segment: Text
  ) throws(EvaluationError.Reason) -> UInt8 {
    let isNegative = first == UInt16(ascii: "-")
    let high = isNegative || first == UInt16(ascii: "+") ? 0 : digit(first)
    guard let high else { throw notHexadecimal(first, then: second, at: 0, of: segment) }
    guard let low = digit(second) else {
      throw notHexadecimal(first, then: second, at: 1, of: segment)
    }
    if isNegative, low > 0 {
      throw .undecodableSegment(
        segment, "Illegal hex characters in escape (%) pattern - negative value")
    }
    return high << 4 | low
  }

  private static func notHexadecimal(
    _ first: UInt16, then second: UInt16, at place: Int, of segment: Text
  ) -> EvaluationError.Reason {
    let text = String(Text(units: [first, second]))
    return .undecodableSegment(
      segment,
      "Illegal hex characters in escape (%) pattern - Error at index \(place) in: \"\(text)\"")
  }

  /// The value of a hexadecimal digit, of any script.
  private static func digit(_ unit: UInt16) -> UInt8? {
    switch unit {
    case 0x41...0x46: UInt8(unit - 0x41 + 10)
    case 0x61...0x66: UInt8(unit - 0x61 + 10)
    case 0xFF21...0xFF26: UInt8(unit - 0xFF21 + 10)
    case 0xFF41...0xFF46: UInt8(unit - 0xFF41 + 10)
    default: IntegerText.digit(UInt32(unit)).map { UInt8($0) }
    }
  }
}

extension UInt16 {
  /// Creates the UTF-16 code unit of an ASCII character.
  fileprivate init(ascii character: Unicode.Scalar) { self = UInt16(UInt8(ascii: character)) }
}
