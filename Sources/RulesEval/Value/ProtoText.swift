import RulesLang

/// Prints values in the text format of protocol buffers, as the engine's messages do (Docs/Language.md §8).
enum ProtoText {
  /// Prints a field that is a message, whose own fields are given in lines.
  static func field(_ name: String, _ fields: [String]) -> String {
    ([name + " {"] + fields.map { "  " + $0 } + ["}"]).map { $0 + "\n" }.joined()
  }

  /// Prints a repeated field.
  static func fields(_ name: String, of values: [Value]) -> String {
    values.map { field(name, lines(of: $0)) }.joined()
  }

  /// Prints the segments of a path, in lines.
  static func segments(of path: PathValue) -> [String] {
    path.segments.flatMap { block("segments", lines(of: $0)) }
  }

  // MARK: Lines

  private static func block(_ name: String, _ lines: [String]) -> [String] {
    [name + " {"] + lines.map { "  " + $0 } + ["}"]
  }

  private static func lines(of value: Value) -> [String] {
    switch value {
    case .null: ["null_value: NULL_VALUE"]
    case .bool(let flag): ["bool_value: \(flag)"]
    case .int(let number): ["int_value: \(number)"]
    case .float(let number): ["float_value: \(String(FloatText.text(of: number)))"]
    case .string(let text): [line("string_value", text)]
    case .bytes(let octets): ["bytes_value: \"\(escaped(octets))\""]
    case .list(let elements): block("list_value", elements.flatMap { repeated($0) })
    case .set(let set): block("set_value", set.elements.flatMap { repeated($0) })
    case .map(let map):
      block(
        "map_value",
        map.keys.sorted(by: Text.precedesByCodePoint).flatMap { key in
          block("fields", [line("key", key)] + block("value", map[key].map { lines(of: $0) } ?? []))
        })
    case .timestamp(let time):
      block("timestamp_value", moment(seconds: time.epochSeconds, nanos: Int64(time.nanos)))
    case .duration(let length):
      block("duration_value", moment(seconds: length.seconds, nanos: Int64(length.nanos)))
    case .latlng(let point):
      block(
        "latlng_value",
        degrees("latitude", point.latitude) + degrees("longitude", point.longitude))
    case .path(let path): block("path_value", segments(of: path))
    case .mapDiff(let diff):
      block(
        "map_diff_value",
        diff.entries.sorted { Text.precedesByCodePoint($0.key, $1.key) }.flatMap { entry in
          block("key_statuses", [line("key", entry.key), "value: \(entry.status.word)"])
        })
    case .vector(let numbers): block("vector_value", numbers.flatMap { repeated(.float($0)) })
    // The engine's text for filters is not known.
    case .constraint: block("constraint_value", [])
    }
  }

  private static func repeated(_ value: Value) -> [String] { block("values", lines(of: value)) }

  /// Prints seconds and nanoseconds, without those that are zero.
  private static func moment(seconds: Int64, nanos: Int64) -> [String] {
    (seconds == 0 ? [] : ["seconds: \(seconds)"]) + (nanos == 0 ? [] : ["nanos: \(nanos)"])
  }

  private static func degrees(_ name: String, _ degrees: Double) -> [String] {
    degrees.bitPattern == 0 ? [] : ["\(name): \(String(FloatText.text(of: degrees)))"]
  }

  private static func lines(of segment: PathValue.Segment) -> [String] {
    switch segment {
    case .plain(let text): [line("simple", text)]
    case .capture(let name, let bound):
      block(
        "capture",
        [line("variable_name", name)] + (bound.map { [line("bound_value", $0)] } ?? []))
    case .glob(let name, let bound):
      block(
        "glob_capture",
        [line("variable_name", name)]
          + (bound.map { block("bound_value", segments(of: PathValue(plain: $0))) } ?? []))
    }
  }

  private static func line(_ field: String, _ text: Text) -> String {
    "\(field): \"\(escaped(String(text).utf8))\""
  }

  private static func escaped(_ octets: some Sequence<UInt8>) -> String {
    octets.reduce(into: "") { $0 += escaped($1) }
  }

  private static func escaped(_ octet: UInt8) -> String {
    switch octet {
    case 0x07: "\\a"
    case 0x08: "\\b"
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0B: "\\v"
    case 0x0C: "\\f"
    case 0x0D: "\\r"
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "'"): "\\'"
    case UInt8(ascii: "\\"): "\\\\"
    case 0x20...0x7E: String(UnicodeScalar(octet))
    default: "\\" + octal(octet)
    }
  }

  private static func octal(_ octet: UInt8) -> String {
    let digits = String(octet, radix: 8)
    return String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }
}

extension MapDiff.Status {
  /// The engine's name of the status.
  fileprivate var word: String {
    switch self {
    case .added: "ADDED"
    case .removed: "REMOVED"
    case .changed: "CHANGED"
    case .unchanged: "UNCHANGED"
    }
  }
}
