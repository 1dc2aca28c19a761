// The characters of the lexical grammar (Docs/Language.md §2); ASCII only.

extension UInt8 {
  /// True if the byte is space, TAB, LF, CR or FF.
  package var isBlank: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D || self == 0x0C
  }

  /// True if the byte is `0` to `9`.
  package var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// True if the byte is a hexadecimal digit of either case.
  var isHexDigit: Bool { hexValue != nil }

  /// The value of a hexadecimal digit.
  var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  /// True if the byte is a letter, `_` or `$`.
  var startsIdentifier: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// True if the byte is a letter, digit, `_` or `$`.
  package var continuesIdentifier: Bool { startsIdentifier || isDigit }

  /// True if the byte is literal in a path segment.
  package var isSegmentCharacter: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "~"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// True if the byte may be in a service name.
  var isServiceNameCharacter: Bool {
    self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
      || (continuesIdentifier && self != UInt8(ascii: "_") && self != UInt8(ascii: "$"))
  }
}
