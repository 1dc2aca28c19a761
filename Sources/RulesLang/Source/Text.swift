/// A string of the rules language: a sequence of UTF-16 code units, kept as generalised UTF-8.
///
/// Equality and hashing are exact, unit by unit: texts that are only canonically equivalent are
/// different, so two user IDs that look alike but differ in bytes are two users. A slice may leave
/// half of a surrogate pair; such a lone unit is kept as the three-byte form that UTF-8 proper
/// forbids. A high half followed by a low half is always stored as the one four-byte code point, so
/// equal texts have equal bytes. (Docs/Language.md §2, §7)
public struct Text: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The bytes: UTF-8, plus three-byte forms of lone surrogates.
  public private(set) var bytes: [UInt8]

  /// Maximum bytes of a text computed by an expression. Documents end at a mebibyte, but a text that is
  /// doubled again and again needs a limit, too.
  public static let maximumSize = 1 << 24

  /// The empty text.
  public init() { bytes = [] }

  /// Copies a Swift string, exactly.
  public init(_ string: String) { bytes = Array(string.utf8) }

  /// Copies a string literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// Creates a text from UTF-8 bytes; ill-formed sequences become U+FFFD.
  public init(decoding raw: [UInt8]) {
    bytes =
      UTF8Check.firstInvalidByte(in: raw) == nil
      ? raw : Array(String(decoding: raw, as: UTF8.self).utf8)
  }

  /// Creates a text from URL-encoded bytes: `%HH` is the octet, `+` a space, and a lone `%` is literal.
  public init(urlDecoding raw: some Collection<UInt8>) {
    let encoded = Array(raw)
    var octets: [UInt8] = []
    var index = 0
    while index < encoded.count {
      if encoded[index] == UInt8(ascii: "%"), index + 2 < encoded.count,
        let high = encoded[index + 1].hexValue, let low = encoded[index + 2].hexValue
      {
        octets.append(high << 4 | low)
        index += 3
      } else {
        octets.append(encoded[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : encoded[index])
        index += 1
      }
    }
    self.init(escapedOctets: octets)
  }

  /// Decodes octets that were escaped in a URL. Ill-formed UTF-8 becomes U+FFFD, as in the engine: one for a
  /// surrogate of any length.
  public init(escapedOctets octets: [UInt8]) {
    var repaired: [UInt8] = []
    var index = 0
    while index < octets.count {
      let isHalf = octets[index] == 0xED && index + 1 < octets.count && octets[index + 1] >= 0xA0
      guard isHalf, octets[index + 1] < 0xC0 else {
        repaired.append(octets[index])
        index += 1
        continue
      }
      repaired += [0xEF, 0xBF, 0xBD]
      index += index + 2 < octets.count && octets[index + 2] & 0xC0 == 0x80 ? 3 : 2
    }
    self.init(decoding: repaired)
  }

  /// Creates a text from bytes that are known to be well-formed generalised UTF-8, without a check.
  public init(wellFormed bytes: [UInt8]) { self.bytes = bytes }

  /// True if the text is empty.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Appends a code point or a lone surrogate; completes a pair if the text ends in its first half.
  public mutating func append(_ codePoint: UInt32) {
    if codePoint & 0xFFFF_FC00 == 0xDC00, let high = trailingHighSurrogate {
      bytes.removeLast(3)
      encode(0x10000 + ((high - 0xD800) << 10) + (codePoint - 0xDC00))
    } else {
      encode(codePoint)
    }
  }

  /// Appends another text; joins a high half at the end with a low half at the start.
  public mutating func append(_ other: Text) {
    if trailingHighSurrogate != nil, let first = other.codePoints.first(where: { _ in true }),
      first & 0xFFFF_FC00 == 0xDC00
    {
      append(first)
      bytes.append(contentsOf: other.bytes[3...])
    } else {
      bytes.append(contentsOf: other.bytes)
    }
  }

  /// The two texts one after the other.
  public static func + (left: Text, right: Text) -> Text {
    var result = left
    result.append(right)
    return result
  }

  /// True if the text equals a string, such as a literal of the code, without making a text of it.
  public static func == (left: Text, right: String) -> Bool {
    guard left.bytes.count == right.utf8.count else { return false }
    var place = 0
    for byte in right.utf8 {
      if left.bytes[place] != byte { return false }
      place += 1
    }
    return true
  }

  /// Matches a text with a string literal in a `switch`.
  public static func ~= (pattern: String, text: Text) -> Bool { text == pattern }

  /// Orders by code points, which is the order of `map.keys()` (Docs/Language.md §8).
  public static func precedesByCodePoint(_ left: Text, _ right: Text) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private var trailingHighSurrogate: UInt32? {
    let count = bytes.count
    guard count >= 3, bytes[count - 3] == 0xED, bytes[count - 2] & 0xF0 == 0xA0 else { return nil }
    return 0xD000 | (UInt32(bytes[count - 2] & 0x3F) << 6) | UInt32(bytes[count - 1] & 0x3F)
  }

  private mutating func encode(_ code: UInt32) {
    switch code {
    case 0..<0x80:
      bytes.append(UInt8(code))
    case 0x80..<0x800:
      bytes.append(UInt8(0xC0 | code >> 6))
      bytes.append(UInt8(0x80 | code & 0x3F))
    case 0x800..<0x10000:
      bytes.append(UInt8(0xE0 | code >> 12))
      bytes.append(UInt8(0x80 | code >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | code & 0x3F))
    default:
      bytes.append(UInt8(0xF0 | code >> 18))
      bytes.append(UInt8(0x80 | code >> 12 & 0x3F))
      bytes.append(UInt8(0x80 | code >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | code & 0x3F))
    }
  }
}

extension String {
  /// The text as a Swift string; a lone surrogate prints as `?`, as in the emulator.
  public init(_ text: Text) {
    if UTF8Check.firstInvalidByte(in: text.bytes) == nil {
      self = String(decoding: text.bytes, as: UTF8.self)
    } else {
      var repaired: [UInt8] = []
      for code in text.codePoints {
        var one = Text()
        one.append(code & 0xFFFF_F800 == 0xD800 ? 0x3F : code)
        repaired.append(contentsOf: one.bytes)
      }
      self = String(decoding: repaired, as: UTF8.self)
    }
  }
}
