package import RulesEval
package import RulesLang

// Constants in certificates: `string:fcmToken`, `int:5`, `list(int:1,string:a)`. Floats are written
// as their bits, so nothing is rounded. Octets other than letters, digits and `-_.:/@$` are escaped
// as `%HH`.

/// Writes constants as words of a certificate.
package enum ConstantText {
  /// Returns the word of a constant. Injective on plain constants.
  package static func word(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): "int:\(number)"
    case .float(let number): "float:" + bits(number)
    case .string(let text): "string:" + escaped(text.bytes)
    case .bytes(let octets): "bytes:" + escaped(octets)
    case .timestamp(let time): "timestamp:\(time.epochSeconds)/\(time.nanos)"
    case .duration(let length): "duration:\(length.seconds)/\(length.nanos)"
    case .latlng(let point): "latlng:" + bits(point.latitude) + "/" + bits(point.longitude)
    case .list(let elements): "list(" + elements.map { word($0) }.joined(separator: ",") + ")"
    case .vector(let numbers): "vector(" + numbers.map { bits($0) }.joined(separator: ",") + ")"
    case .map(let map):
      "map("
        + map.sortedKeys.map { escaped($0.bytes) + "=" + (map[$0].map { word($0) } ?? "null") }
        .joined(separator: ",") + ")"
    case .path(let path) where path.segments.allSatisfy { $0.plainText != nil }:
      "path("
        + path.segments.map { escaped($0.plainText?.bytes ?? []) }.joined(separator: ",") + ")"
    case .set(let set): "set(" + set.elements.map { word($0) }.joined(separator: ",") + ")"
    // Unreachable for constants of a query (`Value.isPlain`).
    case .path, .mapDiff, .constraint: "other:" + escaped(Identity(of: value).bytes)
    }
  }

  /// Escapes octets as a word or, with `spaces`, as the rest of a line.
  package static func escaped(_ octets: [UInt8], spaces: Bool = false) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var word: [UInt8] = []
    for octet in octets {
      let isPlain: Bool
      switch octet {
      case 0x20: isPlain = spaces
      case 0x25: isPlain = false
      case 0x21...0x7E: isPlain = spaces || isWordOctet(octet)
      default: isPlain = false
      }
      word += isPlain ? [octet] : [0x25, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
    }
    return String(decoding: word, as: UTF8.self)
  }

  private static func isWordOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2E, 0x3A, 0x2F, 0x40, 0x24: true
    default: false
    }
  }

  /// Returns the bits of a float in hexadecimal digits.
  package static func bits(_ number: Double) -> String { String(number.bitPattern, radix: 16) }
}

/// Parses the words of constants.
package struct ConstantReader {
  private var rest: ArraySlice<UInt8>
  private var depth = 0
  /// Maximum nesting depth, at least that of any document.
  private static let greatestDepth = 100

  private init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Returns the constant that a word stands for; nil if the word is malformed. There are no words for map
  /// differences, constraints and paths with captures.
  package static func value(_ word: Text) -> Value? {
    var reader = ConstantReader(word.bytes)
    guard let value = reader.value(), reader.rest.isEmpty else { return nil }
    return value
  }

  /// Returns the octets of an escaped word or line; nil if an escape is malformed.
  package static func unescaped(_ octets: some Collection<UInt8>) -> [UInt8]? {
    var found: [UInt8] = []
    var rest = Array(octets)[...]
    while let octet = rest.popFirst() {
      guard octet == 0x25 else {
        found.append(octet)
        continue
      }
      guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
        return nil
      }
      found.append(high << 4 | low)
    }
    return found
  }

  private mutating func value() -> Value? {
    let kind = take { (0x61...0x7A).contains($0) }
    switch String(decoding: kind, as: UTF8.self) {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "list": return nested { $0.value() }.map { .list($0) }
    case "set": return nested { $0.value() }.flatMap { try? SetValue($0) }.map { .set($0) }
    case "vector": return list { $0.float() }.map { .vector($0) }
    case "path": return list { $0.text() }.map { .path(PathValue(plain: $0)) }
    case "map": return nested { $0.entry() }.map { .map(MapValue($0.map { ($0.key, $0.value) })) }
    case let word:
      return skip(0x3A) ? scalar(word) : nil
    }
  }

  private mutating func scalar(_ kind: String) -> Value? {
    switch kind {
    case "int": return number().map { .int($0) }
    case "float": return float().map { .float($0) }
    case "string": return text().map { .string($0) }
    case "bytes": return Self.unescaped(word()).map { .bytes($0) }
    case "timestamp":
      return pair { $0.number() }.flatMap { Timestamp(epochSeconds: $0, nanos: $1) }
        .map { .timestamp($0) }
    case "duration":
      return pair { $0.number() }.flatMap { Duration(seconds: $0, nanos: $1) }
        .map { .duration($0) }
    case "latlng":
      return pair { $0.float() }.map { .latlng(LatLng(latitude: $0, longitude: $1)) }
    default: return nil
    }
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix { isWanted($0) }
    rest = rest.dropFirst(taken.count)
    return taken
  }

  private mutating func skip(_ octet: UInt8) -> Bool {
    guard rest.first == octet else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Takes octets up to a comma, an equals sign or a parenthesis.
  private mutating func word() -> ArraySlice<UInt8> {
    take { $0 != 0x2C && $0 != 0x3D && $0 != 0x28 && $0 != 0x29 }
  }

  private mutating func text() -> Text? { Self.unescaped(word()).map { Text(decoding: $0) } }

  private mutating func number() -> Int64? {
    Int64(String(decoding: take { $0 == 0x2D || (0x30...0x39).contains($0) }, as: UTF8.self))
  }

  private mutating func float() -> Double? {
    let digits = take { $0.hexDigit != nil }
    return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
      .map { Double(bitPattern: $0) }
  }

  private mutating func pair<Part>(
    _ part: (inout ConstantReader) -> Part?
  ) -> (Part, Part)? {
    guard let one = part(&self), skip(0x2F), let other = part(&self) else { return nil }
    return (one, other)
  }

  private mutating func entry() -> (key: Text, value: Value)? {
    guard let key = text(), skip(0x3D), let value = value() else { return nil }
    return (key, value)
  }

  private mutating func nested<Part>(_ part: (inout ConstantReader) -> Part?) -> [Part]? {
    depth += 1
    defer { depth -= 1 }
    return depth > Self.greatestDepth ? nil : list(part)
  }

  private mutating func list<Part>(_ part: (inout ConstantReader) -> Part?) -> [Part]? {
    guard skip(0x28) else { return nil }
    var parts: [Part] = []
    if skip(0x29) { return parts }
    repeat {
      guard let next = part(&self) else { return nil }
      parts.append(next)
    } while skip(0x2C)
    return skip(0x29) ? parts : nil
  }
}

extension UInt8 {
  /// The value of a lowercase hexadecimal digit.
  fileprivate var hexDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
}
