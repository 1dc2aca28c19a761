import RulesLang

/// Prints values for explanations: on one line, shortened.
public enum ValueText {
  private static let maximumLength = 60
  /// Maximum depth to which collections are printed; deeper ones are abbreviated.
  private static let deepest = 2

  /// The value in at most about 60 characters.
  public static func short(_ value: Value) -> String {
    var text = ""
    write(value, to: &text, depth: 0)
    if text.unicodeScalars.count <= maximumLength { return text }
    // Nested values are shortened first: the outer names say more than a part of an inner map.
    var outline = ""
    write(value, to: &outline, depth: deepest)
    if outline.unicodeScalars.count <= maximumLength { return outline }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength - 3))) + "..."
  }

  private static func write(_ value: Value, to text: inout String, depth: Int) {
    // Nothing beyond the length is ever shown, so nothing beyond it is worked out.
    guard text.utf8.count < maximumLength * 4 else { return }
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .int(let number): text += "\(number)"
    case .float(let number): text += String(FloatText.text(of: number))
    case .string(let string): text += "\"" + String(prefix(string)) + "\""
    case .bytes(let octets): text += "bytes of \(octets.count)"
    case .list(let elements): write(elements, between: "[", and: "]", to: &text, depth: depth)
    case .set(let set): write(set.elements, between: "{", and: "}", to: &text, depth: depth)
    case .map(let map): write(map, to: &text, depth: depth)
    case .timestamp(let time): text += time.description
    case .duration(let length): text += length.description
    case .latlng(let point):
      text += "latlng \(point.latitude), \(point.longitude)"
    case .path(let path): text += String(path.shown)
    case .mapDiff(let diff): write(diff, to: &text)
    case .vector(let numbers): text += "vector of \(numbers.count)"
    case .constraint(let promise): text += "filtered by \(promise.entries.count.of("condition"))"
    }
  }

  private static func prefix(_ text: Text) -> Text {
    text.bytes.count <= maximumLength ? text : text.slice(from: 0, upTo: maximumLength)
  }

  private static func write(
    _ elements: [Value], between open: String, and close: String, to text: inout String, depth: Int
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += ", " }
      if depth > deepest || text.utf8.count > maximumLength {
        text += "..."
        break
      }
      write(element, to: &text, depth: depth + 1)
    }
    text += close
  }

  private static func write(_ map: MapValue, to text: inout String, depth: Int) {
    text += "{"
    for (index, entry) in map.enumerated() {
      if index > 0 { text += ", " }
      if depth > deepest || text.utf8.count > maximumLength {
        text += "..."
        break
      }
      text += String(entry.0) + ": "
      write(entry.1, to: &text, depth: depth + 1)
    }
    text += "}"
  }

  /// Prints the changes of a diff by key: `added: a; changed: b, c`.
  private static func write(_ diff: MapDiff, to text: inout String) {
    let statuses: [(String, MapDiff.Status)] = [
      ("added", .added), ("removed", .removed), ("changed", .changed),
    ]
    var parts: [String] = []
    for (word, status) in statuses {
      let keys = diff.entries.filter { $0.status == status }.map { String($0.key) }
      if !keys.isEmpty { parts.append("\(word): \(keys.joined(separator: ", "))") }
    }
    text += parts.isEmpty ? "nothing changed" : parts.joined(separator: "; ")
  }
}
