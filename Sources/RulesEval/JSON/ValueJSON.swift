import RulesLang

extension JSONText {
  /// A value with its type: `{"type": "bool", "value": true}`.
  public init(_ value: Value) {
    self = .object([("type", .string(value.type.word)), ("value", Self.plain(value))])
  }

  private static func plain(_ value: Value) -> JSONText {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .string("\(number)")
    case .float(let number): float(number)
    case .string(let text): .string(String(text))
    case .bytes(let octets): .string(String(Base64.standard.text(of: octets)))
    case .list(let elements): .array(elements.map { JSONText($0) })
    case .map(let map): .object(map.map { (String($0.0), JSONText($0.1)) })
    case .set(let set): .array(sorted(set.elements.map { JSONText($0) }))
    case .timestamp(let time): .string(time.description)
    case .duration(let length): .string(length.description)
    case .latlng(let point): .array([float(point.latitude), float(point.longitude)])
    case .path(let path): .string(String(path.shown))
    case .mapDiff(let diff): diffed(diff)
    case .vector(let numbers): .array(numbers.map { float($0) })
    case .constraint(let promise): .array(promise.entries.map { entry($0) })
    }
  }

  /// A float as a number, or as one of the words that JSON has no number for.
  private static func float(_ number: Double) -> JSONText {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
    return .number("\(number)")
  }

  private static func sorted(_ elements: [JSONText]) -> [JSONText] {
    let keyed = elements.map { ($0.compact, $0) }
    return keyed.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }.map {
      $0.1
    }
  }

  private static func diffed(_ diff: MapDiff) -> JSONText {
    let statuses: [(String, MapDiff.Status)] = [
      ("added", .added), ("removed", .removed), ("changed", .changed), ("unchanged", .unchanged),
    ]
    return .object(
      statuses.map { word, status in
        let keys = diff.entries.filter { $0.status == status }.map { $0.key }
        return (
          word, .array(keys.sorted(by: Text.precedesByCodePoint).map { .string(String($0)) })
        )
      })
  }

  private static func entry(_ entry: Constraint.Entry) -> JSONText {
    .object([("op", .string(entry.comparator.word)), ("value", JSONText(entry.value))])
  }
}
