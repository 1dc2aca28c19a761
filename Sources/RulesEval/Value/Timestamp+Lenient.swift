import RulesLang

extension Timestamp {
  /// Parses a text as the engine's `timestamp.value(string)` does: RFC 3339, and many variants.
  ///
  /// Spaces may precede a field; fields have any width, digits of any script and a minus sign, and roll over,
  /// so that 30 February is 1 March; text between the seconds and the fraction or offset is skipped. Nil for
  /// texts that the engine refuses. (Docs/Language.md §8)
  init?(lenient text: Text) {
    guard let parts = LenientParts(Array(text.codePoints)) else { return nil }
    var fields = FieldScanner(parts.date)
    guard let year = fields.number(), fields.skip("-"), let month = fields.number(),
      fields.skip("-"), let day = fields.number(), fields.skip("T"), let hours = fields.number(),
      fields.skip(":"), let minutes = fields.number(), fields.skip(":"),
      let seconds = fields.number()
    else { return nil }
    // Far beyond any timestamp; keeps the sums below from overflowing.
    let all = [year, month, day, hours, minutes, seconds, parts.offset]
    guard all.allSatisfy({ $0.magnitude < 1_000_000_000_000 }) else { return nil }
    let (years, monthIndex) = (month - 1).flooredDivision(by: 12)
    let days = Timestamp.daysSinceEpoch(year: year + years, month: monthIndex + 1, day: 1) + day - 1
    let time = days * 86_400 + hours * 3600 + minutes * 60 + seconds - parts.offset
    self.init(epochSeconds: time, nanos: parts.nanos)
  }
}

/// The parts of a time that the engine's parser separates first.
private struct LenientParts {
  /// Year to seconds.
  var date: ArraySlice<UInt32>
  var nanos: Int64 = 0
  /// Seconds east of Greenwich.
  var offset: Int64 = 0

  init?(_ text: [UInt32]) {
    guard let mark = text.firstIndex(of: 0x54) else { return nil }  // T
    let rest = text[mark...]
    let zone = rest.firstIndex(of: 0x5A) ?? rest.firstIndex(of: 0x2B) ?? rest.firstIndex(of: 0x2D)
    guard let zone else { return nil }
    date = text[..<zone]
    if let point = date.firstIndex(of: 0x2E) {
      guard let nanos = Self.nanos(date[(point + 1)...]) else { return nil }
      self.nanos = nanos
      date = date[..<point]
    }
    if text[zone] == 0x5A {
      guard zone == text.count - 1 else { return nil }
    } else {
      guard let offset = Self.offset(text[(zone + 1)...]) else { return nil }
      self.offset = text[zone] == 0x2B ? offset : -offset
    }
  }

  /// Returns the nanoseconds of a fraction. Digits after the ninth are ignored, and not even checked.
  private static func nanos(_ digits: ArraySlice<UInt32>) -> Int64? {
    var value: Int64 = 0
    for place in 0..<9 {
      value *= 10
      guard place < digits.count else { continue }
      let digit = digits[digits.startIndex + place]
      guard (0x30...0x39).contains(digit) else { return nil }
      value += Int64(digit - 0x30)
    }
    return value
  }

  private static func offset(_ text: ArraySlice<UInt32>) -> Int64? {
    guard let colon = text.firstIndex(of: 0x3A), let hours = int(text[..<colon]),
      let minutes = int(text[(colon + 1)...]), hours.magnitude < 1_000_000_000,
      minutes.magnitude < 1_000_000_000
    else { return nil }
    return (hours * 60 + minutes) * 60
  }

  private static func int(_ digits: ArraySlice<UInt32>) -> Int64? {
    var text = Text()
    for digit in digits { text.append(digit) }
    return IntegerText.value(of: text)
  }
}

/// Parses numbers with spaces and a sign before them.
private struct FieldScanner {
  private var rest: ArraySlice<UInt32>

  init(_ rest: ArraySlice<UInt32>) { self.rest = rest }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number() -> Int64? {
    while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
    var text = Text()
    if rest.first == 0x2D {
      text.append(0x2D)
      rest.removeFirst()
    }
    while let next = rest.first, IntegerText.isDigit(next) {
      text.append(next)
      rest.removeFirst()
    }
    return IntegerText.value(of: text)
  }
}
