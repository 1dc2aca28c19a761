import RulesLang

/// Makes paths at run time: `path(string)` and `bind` (Docs/Language.md §8).
enum PathTemplate {
  /// Evaluates `path(string)`: segments between slashes, URL-decoded, captures in braces.
  static func parse(_ value: Value) throws(EvaluationError.Reason) -> PathValue {
    guard case .string(let text) = value else { throw .functionNotFound("path") }
    if text.isEmpty { throw .emptyPathTemplate }
    var parts: [[UInt8]] = [[]]
    let body = text.bytes.first == UInt8(ascii: "/") ? text.bytes.dropFirst() : text.bytes[...]
    for byte in body {
      if byte == UInt8(ascii: "/") { parts.append([]) } else { parts[parts.count - 1].append(byte) }
    }
    var segments: [PathValue.Segment] = []
    for part in parts { segments.append(try segment(Text(wellFormed: part).stripped, of: text)) }
    let path = PathValue(segments)
    if let name = path.repeatedName { throw .repeatedPathVariable(name) }
    return path
  }

  private static func segment(
    _ part: Text, of text: Text
  ) throws(EvaluationError.Reason) -> PathValue.Segment {
    let bytes = part.bytes
    if bytes.isEmpty { throw .invalidPathTemplate(text, "Empty segment is not allowed.") }
    guard bytes[0] == UInt8(ascii: "{") else { return .plain(try URLText.decoded(part)) }
    guard bytes[bytes.count - 1] == UInt8(ascii: "}"), bytes.count > 1 else {
      throw .invalidPathTemplate(text, "The capture segment is not closed.")
    }
    var inner = bytes[1..<(bytes.count - 1)]
    let isGlob = inner.ends(with: "=**")
    if isGlob { inner.removeLast(3) } else if inner.ends(with: "=*") { inner.removeLast(2) }
    let name = Text(wellFormed: Array(inner)).trimmed
    guard isIdentifier(name.bytes) else {
      throw .invalidPathTemplate(
        text,
        "[Identifier [\(String(name))] should start with letter, dollar sign, or "
          + "underscore and should not start with digit and must not contain spaces.")
    }
    return isGlob ? .glob(name, nil) : .capture(name, nil)
  }

  private static func isIdentifier(_ name: [UInt8]) -> Bool {
    guard let first = name.first, first.startsRulesIdentifier else { return false }
    return name.allSatisfy { $0.startsRulesIdentifier || (0x30...0x39).contains($0) }
  }

  /// Evaluates `path.bind(map)`: captures that the map does not name are dropped, bound before or not.
  ///
  /// The captures' values are checked first, then the map for other names.
  static func bind(
    _ path: PathValue, to values: MapValue
  ) throws(EvaluationError.Reason) -> PathValue {
    var segments: [PathValue.Segment] = []
    for segment in path.segments {
      if let bound = try bind(segment, to: values) { segments.append(bound) }
    }
    let names = path.segments.compactMap { $0.name }
    let unknown = values.keys.filter { !names.contains($0) }
    if !unknown.isEmpty { throw .unknownBindings(Text.inHashOrder(unknown)) }
    return PathValue(segments)
  }

  private static func bind(
    _ segment: PathValue.Segment, to values: MapValue
  ) throws(EvaluationError.Reason) -> PathValue.Segment? {
    switch segment {
    case .plain: return segment
    case .capture(let name, let bound):
      guard let value = values[name] else { return nil }
      if bound != nil { throw .boundPathVariable(name) }
      let text = try Functions.string(value)
      if text.isEmpty { throw .emptyBinding(name) }
      return .capture(name, text)
    case .glob(let name, let bound):
      guard let value = values[name] else { return nil }
      if bound != nil { throw .boundPathVariable(name) }
      guard case .path(let path) = value else { throw .wrongType(value.type, expected: [.path]) }
      return .glob(name, try path.flattened())
    }
  }
}

extension Text {
  /// The text without white space of any kind at both ends.
  fileprivate var stripped: Text {
    let all = Array(codePoints)
    guard let first = all.firstIndex(where: { !Self.isWhiteSpace($0) }),
      let last = all.lastIndex(where: { !Self.isWhiteSpace($0) })
    else { return Text() }
    return all[first...last].reduce(into: Text()) { $0.append($1) }
  }

  /// True if a code point has Unicode's property White_Space.
  private static func isWhiteSpace(_ codePoint: UInt32) -> Bool {
    switch codePoint {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }

  /// Returns texts in the iteration order of the engine's hash table.
  fileprivate static func inHashOrder(_ texts: [Text]) -> [Text] {
    var buckets: UInt32 = 16
    while texts.count > Int(buckets) * 3 / 4 { buckets *= 2 }
    let placed = texts.enumerated().map { index, text in
      let hash = text.units.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
      return (bucket: (hash ^ hash >> 16) & (buckets - 1), index: index, text: text)
    }
    return placed.sorted { ($0.bucket, $0.index) < ($1.bucket, $1.index) }.map { $0.text }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with ending: String) -> Bool {
    count >= ending.utf8.count && suffix(ending.utf8.count).elementsEqual(ending.utf8)
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
