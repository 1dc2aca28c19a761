public import RulesLang

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with 0, 3, 6 or 9 digits of fraction: `2020-01-31T12:34:56.789Z`.
  public var description: String {
    let date = "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    let time = "\(padded(hours, to: 2)):\(padded(minutes, to: 2)):\(padded(seconds, to: 2))"
    return "\(date)T\(time)\(fractionText(Int64(nanos), inThrees: true))Z"
  }

  /// Reads RFC 3339: `2020-01-31T12:34:56.789Z` or with an offset such as `+01:30` for the `Z`.
  ///
  /// `T` and `Z` are upper case, every field has its full width and is in range, an offset is at
  /// most 23:59, and digits of the fraction after the ninth are cut. Second 60 is read as the second
  /// after it, and only where leap seconds are put: at 23:59:60 UTC on the last day of June or
  /// December. Returns nil for anything else and outside the range of timestamps. The emulator is
  /// more lenient: it skips white space at the start, takes numbers of any width, and lets fields
  /// roll over, so that 30 February is 1 March. (Docs/Language.md §8, §16)
  public init?(rfc3339 text: Text) {
    var reader = FieldReader(text.bytes)
    guard let year = reader.number(width: 4), reader.skip("-"),
      let month = reader.number(width: 2), reader.skip("-"),
      let day = reader.number(width: 2), reader.skip("T"),
      let hours = reader.number(width: 2), hours < 24, reader.skip(":"),
      let minutes = reader.number(width: 2), minutes < 60, reader.skip(":"),
      let seconds = reader.number(width: 2), seconds <= 60,
      let nanos = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    // Year 0 is accepted: an offset may move its last hours into year 1.
    guard 1...12 ~= month, 1...Timestamp.daysInMonth(month, of: year) ~= day else { return nil }
    let days = Timestamp.daysSinceEpoch(year: year, month: month, day: day)
    let time = days * 86_400 + hours * 3600 + minutes * 60 + seconds
    self.init(epochSeconds: time - offset, nanos: nanos)
    if seconds == 60 && !followsLeapSecond { return nil }
  }

  /// True if the second before this one may have been a leap second.
  private var followsLeapSecond: Bool {
    hours == 0 && minutes == 0 && seconds == 0 && day == 1 && (month == 1 || month == 7)
  }
}

/// Reads the fields of an RFC 3339 time one after the other.
private struct FieldReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  private var digit: Int64? {
    guard index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] else {
      return nil
    }
    return Int64(bytes[index] - UInt8(ascii: "0"))
  }

  /// Skips one character if it is next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Reads a number of exactly `width` digits.
  mutating func number(width: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<width {
      guard let digit else { return nil }
      value = value * 10 + digit
      index += 1
    }
    return value
  }

  /// Reads an optional fraction as nanoseconds; nil for a point without a digit.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var value: Int64 = 0
    var count = 0
    while let digit {
      if count < 9 { value = value * 10 + digit }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 9)..<9 { value *= 10 }
    return value
  }

  /// Reads `Z` or `±hh:mm` as seconds to the east.
  mutating func offset() -> Int64? {
    if skip("Z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"),
      let hours = number(width: 2), hours < 24, skip(":"),
      let minutes = number(width: 2), minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }
}

/// A number that is not negative, with zeros in front to `width` digits.
private func padded(_ value: Int64, to width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Returns a fraction of a second with its point, empty for none: as short as possible, or with 3, 6 or 9
/// digits.
func fractionText(_ nanos: Int64, inThrees: Bool) -> String {
  guard nanos != 0 else { return "" }
  var value = nanos
  var width = 9
  while value % (inThrees ? 1000 : 10) == 0 {
    value /= inThrees ? 1000 : 10
    width -= inThrees ? 3 : 1
  }
  return "." + padded(value, to: width)
}
