package import RulesEval
import RulesLang

/// A text notation for values, such as `int 1` and `{"a": true}`, in which equal values of rules-check and
/// the emulator have equal texts.
///
/// Keys and elements without an order are sorted; a lone surrogate is `?`, as the emulator prints it.
package enum ValueNotation {
  /// Returns the text of a value of rules-check.
  package static func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): "int \(number)"
    case .float(let number): float(number)
    case .string(let text): quoted(String(text))
    case .bytes(let octets): "bytes \(String(Base64.standard.text(of: octets)))"
    case .list(let elements): list(elements.map { text($0) })
    case .set(let set): "set" + list(set.elements.map { text($0) }.sorted())
    case .map(let map): self.map(map)
    case .timestamp(let time): "timestamp \(time.description)"
    case .duration(let length): "duration \(length.paddedDescription)"
    case .latlng(let point): latlng(latitude: point.latitude, longitude: point.longitude)
    case .path(let path): "path" + list(path.segments.map { segment($0) })
    case .mapDiff(let diff):
      "diff" + object(diff.entries.map { (String($0.key), "\($0.status)".uppercased()) })
    case .vector(let numbers): "vector" + list(numbers.map { float($0) })
    case .constraint(let promise):
      "constraint" + list(promise.entries.map { "\($0.comparator.word) \(text($0.value))" })
    }
  }

  private static func map(_ map: MapValue) -> String {
    let unknown = map.unknownKey.map { [(String($0), "unknown")] } ?? []
    return object(map.map { (String($0.0), text($0.1)) } + unknown)
  }

  private static func segment(_ segment: PathValue.Segment) -> String {
    switch segment {
    case .plain(let text): quoted(String(text))
    case .capture(let name, let bound):
      capture(String(name), boundTo: bound.map { quoted(String($0)) })
    case .glob(let name, let bound):
      capture(String(name) + "=**", boundTo: bound.map { list($0.map { quoted(String($0)) }) })
    }
  }

  // MARK: Shared forms

  private static func capture(_ name: String, boundTo bound: String?) -> String {
    "{\(name)}" + (bound.map { ": " + $0 } ?? "")
  }

  private static func latlng(latitude: Double, longitude: Double) -> String {
    "latlng" + list([float(latitude), float(longitude)])
  }

  private static func float(_ number: Double) -> String {
    "float " + String(FloatText.text(of: number))
  }

  private static func list(_ parts: [String]) -> String {
    "[" + parts.joined(separator: ", ") + "]"
  }

  /// Returns the text of a map, sorted by key. The value of `writeFields` is always `?`, because its order is
  /// arbitrary.
  private static func object(_ members: [(String, String)]) -> String {
    let members = members.map { $0.0 == "writeFields" ? ($0.0, "?") : $0 }
    let sorted = members.map { quoted($0.0) + ": " + $0.1 }.sorted()
    return "{" + sorted.joined(separator: ", ") + "}"
  }

  /// Returns a string in quotes, as in JSON.
  package static func quoted(_ text: String) -> String { JSONText.string(text).compact }

  // MARK: The emulator's values

  /// Returns the text of a value in a coverage report, such as `{"intValue": "1"}`; nil if its form is
  /// unknown.
  package static func text(reported json: JSON) -> String? {
    guard let member = json.members.first else { return nil }
    let value = member.value
    switch String(member.key) {
    case "nullValue": return "null"
    case "boolValue": return value.isTrue ? "true" : "false"
    case "intValue": return "int " + (value.plainText ?? "")
    case "floatValue": return number(value).map { float($0) }
    case "stringValue": return quoted(value.plainText ?? "")
    case "bytesValue": return "bytes " + (value.plainText ?? "")
    case "listValue": return elements(value).map { list($0) }
    case "setValue": return elements(value).map { "set" + list($0.sorted()) }
    case "mapValue": return fields(value)
    case "timestampValue": return "timestamp " + (value.plainText ?? "")
    case "durationValue": return "duration " + (value.plainText ?? "")
    case "latlngValue":
      return latlng(
        latitude: value.member("latitude").flatMap { number($0) } ?? 0,
        longitude: value.member("longitude").flatMap { number($0) } ?? 0)
    case "pathValue": return "path" + list(segments(value))
    case "mapDiffValue":
      let members = value.member("keyStatuses")?.members ?? []
      return "diff" + object(members.map { (String($0.key), $0.value.plainText ?? "") })
    case "vectorValue": return elements(value).map { "vector" + list($0) }
    case "constraintValue": return "constraint" + list(constraints(value))
    case "undefined": return "unknown"
    default: return nil
    }
  }

  private static func number(_ json: JSON) -> Double? {
    switch json.kind {
    case .number(let digits): FloatText.value(of: Text(digits))
    case .string(let text): FloatText.value(of: text)
    case .null, .bool, .array, .object: nil
    }
  }

  private static func elements(_ json: JSON) -> [String]? {
    let texts = (json.member("values")?.list ?? []).map { text(reported: $0) }
    return texts.contains(nil) ? nil : texts.compactMap { $0 }
  }

  private static func fields(_ json: JSON) -> String? {
    let members = json.member("fields")?.members ?? []
    let texts = members.map { (String($0.key), text(reported: $0.value)) }
    if texts.contains(where: { $0.1 == nil }) { return nil }
    return object(texts.map { ($0.0, $0.1 ?? "") })
  }

  private static func segments(_ json: JSON) -> [String] {
    (json.member("segments")?.list ?? []).map { segment in
      if let simple = segment.member("simple") { return quoted(simple.plainText ?? "") }
      let glob = segment.member("globCapture")
      let capture = glob ?? segment.member("capture")
      let name = (capture?.member("variableName")?.plainText ?? "") + (glob == nil ? "" : "=**")
      let bound = capture?.member("boundValue").map { bound in
        glob == nil ? quoted(bound.plainText ?? "") : list(segments(bound))
      }
      return Self.capture(name, boundTo: bound)
    }
  }

  private static func constraints(_ json: JSON) -> [String] {
    (json.member("simpleConstraints")?.list ?? []).map { entry in
      let value = entry.member("value").flatMap { text(reported: $0) } ?? "?"
      return "\(entry.member("comparator")?.plainText ?? "?") \(value)"
    }
  }
}
