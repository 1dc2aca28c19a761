import RulesLang

@testable import RulesEval
@testable import RulesTesting

/// Compares values with the typed JSON of the conformance data: `{"int": "1"}`, `{"set": [...]}`.
///
/// Sets have no order; floats must agree in every bit, but for distances, which may differ in the
/// last digits.
enum TypedValue {
  /// Whether a value is the one that was measured.
  static func matches(_ value: Value, _ json: JSON) -> Bool {
    guard case .object(let members) = json.kind, members.count == 1 else { return false }
    let expected = members[0].value
    switch (String(members[0].key), value) {
    case ("null", .null): return true
    case ("bool", .bool(let flag)): return flag == expected.isTrue
    case ("int", .int(let number)): return "\(number)" == expected.string
    case ("float", .float(let number)): return isSame(number, expected)
    case ("string", .string(let text)): return Text(String(text)) == expected.text
    case ("bytes", .bytes(let octets)):
      return Base64.standard.text(of: octets) == expected.text
    case ("list", .list(let elements)): return areSame(elements, expected.elements)
    case ("set", .set(let set)): return areSameUnordered(set.elements, expected.elements)
    case ("map", .map(let map)):
      guard case .object(let fields) = expected.kind, fields.count == map.count else {
        return false
      }
      return fields.allSatisfy { field in map[field.key].map { matches($0, field.value) } ?? false }
    case ("timestamp", .timestamp(let time)): return time.description == expected.string
    case ("duration", .duration(let length)): return length.paddedDescription == expected.string
    case ("latlng", .latlng(let point)):
      return expected.elements.count == 2 && isSame(point.latitude, expected.elements[0])
        && isSame(point.longitude, expected.elements[1])
    case ("path", .path(let path)): return isSame(path, expected)
    case ("map_diff", .mapDiff(let diff)): return isSame(diff, expected)
    case ("vector", .vector(let numbers)):
      return areSame(numbers.map { .float($0) }, expected.elements)
    case ("constraint", .constraint(let promise)): return isSame(promise, expected)
    default: return false
    }
  }

  private static func areSame(_ values: [Value], _ expected: [JSON]) -> Bool {
    values.count == expected.count && zip(values, expected).allSatisfy { matches($0, $1) }
  }

  private static func areSameUnordered(_ values: [Value], _ expected: [JSON]) -> Bool {
    var open = expected
    for value in values {
      guard let place = open.firstIndex(where: { matches(value, $0) }) else { return false }
      open.remove(at: place)
    }
    return open.isEmpty
  }

  private static func isSame(_ number: Double, _ json: JSON) -> Bool {
    guard let expected = FloatText.value(of: Text(json.string ?? json.number ?? "")) else {
      return false
    }
    if number.isNaN { return expected.isNaN }
    if number.bitPattern == expected.bitPattern { return true }
    return number > 1000 && ((number - expected) / expected).magnitude < 1e-9
      && number != number.rounded()
  }

  private static func isSame(_ path: PathValue, _ json: JSON) -> Bool {
    let parts = json.elements
    guard parts.count == path.segments.count else { return false }
    return zip(path.segments, parts).allSatisfy { segment, part in
      switch segment {
      case .plain(let text): part.text == text
      case .capture(let name, let bound):
        part["capture"]?.text == name && part["bound"]?.text == bound
      case .glob(let name, let bound):
        part["glob"]?.text == name && part["bound"]?.elements.map { $0.text ?? "" } == bound
      }
    }
  }

  private static func isSame(_ diff: MapDiff, _ json: JSON) -> Bool {
    guard case .object(let fields) = json.kind, fields.count == diff.entries.count else {
      return false
    }
    return diff.entries.allSatisfy { entry in
      let word = ["added", "removed", "changed", "unchanged"][Int(entry.status.rawValue)]
      return json[entry.key]?.string?.lowercased() == word
    }
  }

  private static func isSame(_ promise: Constraint, _ json: JSON) -> Bool {
    let words = ["EQ", "NEQ", "LT", "LTE", "GT", "GTE", "LIST_CONTAINS"]
    return promise.entries.count == json.elements.count
      && zip(promise.entries, json.elements).allSatisfy { entry, expected in
        guard let value = expected["value"] else { return false }
        return words[Int(entry.comparator.rawValue)] == expected["op"]?.string
          && matches(entry.value, value)
      }
  }
}
