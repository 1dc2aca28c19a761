import RulesLang

/// Making paths at run time: `path(string)` and `bind` (Docs/Language.md §8).
enum PathTemplate {
  /// `path(string)`: segments between slashes, URL-decoded, captures in braces.
  static func parse(_ value: Value) throws(EvaluationError.Reason) -> PathValue {
    guard case .string(let text) = value else { throw .functionNotFound("path") }
    if text.isEmpty { throw .emptyPathTemplate }
    var parts: [[UInt8]] = [[]]
    let body = text.bytes.first == UInt8(ascii: "/") ? text.bytes.dropFirst() : text.bytes[...]
    for byte in body {
      if byte == UInt8(ascii: "/") { parts.append([]) } else { parts[parts.count - 1].append(byte) }
    }
    var segments: [PathValue.Segment] = []
    for part in parts { segments.append(try segment(part, of: text)) }
    return PathValue(segments)
  }

  private static func segment(
    _ part: [UInt8], of text: Text
  ) throws(EvaluationError.Reason) -> PathValue.Segment {
    if part.isEmpty { throw .invalidPathTemplate(text, "Empty segment is not allowed.") }
    guard part[0] == UInt8(ascii: "{") else { return .plain(Text(urlDecoding: part)) }
    guard part[part.count - 1] == UInt8(ascii: "}") else {
      throw .invalidPathTemplate(text, "The capture segment is not closed.")
    }
    let inner = part[1..<max(1, part.count - 1)]
    let sign = inner.firstIndex(of: UInt8(ascii: "="))
    let name = Array(inner[..<(sign ?? inner.endIndex)])
    guard isIdentifier(name) else {
      throw .invalidPathTemplate(
        text,
        "[Identifier [\(String(Text(wellFormed: name)))] should start with letter, dollar sign, or "
          + "underscore and should not start with digit and must not contain spaces.")
    }
    let isGlob = sign.map { inner[($0 + 1)...].elementsEqual("**".utf8) } ?? false
    let word = Text(wellFormed: name)
    return isGlob ? .glob(word, nil) : .capture(word, nil)
  }

  private static func isIdentifier(_ name: [UInt8]) -> Bool {
    guard let first = name.first, first.startsRulesIdentifier else { return false }
    return name.allSatisfy { $0.startsRulesIdentifier || (0x30...0x39).contains($0) }
  }

  /// `path.bind(map)`: captures that the map does not name are dropped unless bound before.
  static func bind(
    _ path: PathValue, _ values: MapValue
  ) throws(EvaluationError.Reason) -> PathValue {
    let names = path.segments.compactMap { $0.name }
    let unknown = values.keys.filter { !names.contains($0) }
    if !unknown.isEmpty { throw .unknownBindings(unknown) }
    var segments: [PathValue.Segment] = []
    for segment in path.segments {
      if let bound = try bind(segment, values) { segments.append(bound) }
    }
    return PathValue(segments)
  }

  private static func bind(
    _ segment: PathValue.Segment, _ values: MapValue
  ) throws(EvaluationError.Reason) -> PathValue.Segment? {
    switch segment {
    case .plain: return segment
    case .capture(let name, let bound):
      guard let value = values[name] else { return bound == nil ? nil : segment }
      let text = try Functions.string(value)
      if text.isEmpty { throw .emptyBinding(name) }
      return .capture(name, text)
    case .glob(let name, let bound):
      guard let value = values[name] else { return bound == nil ? nil : segment }
      guard case .path(let path) = value else { throw .wrongType(value.type, expected: [.path]) }
      return .glob(name, try path.flattened())
    }
  }
}

extension PathValue.Segment {
  /// The name of a capture.
  fileprivate var name: Text? {
    switch self {
    case .plain: nil
    case .capture(let name, _), .glob(let name, _): name
    }
  }
}

extension UInt8 {
  /// A letter, `_` or `$`.
  fileprivate var startsRulesIdentifier: Bool {
    switch self {
    case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24: true
    default: false
    }
  }
}
