import FirestoreTransport
import FirestoreWire
import RulesLang

/// Bodies of REST: a message read from JSON must be the same after being written, as JSON in both layouts and
/// as protobuf, and read again.
enum JSONFuzz {
  /// Reads the text of a seed: one of the table's messages, damaged in two of three cases.
  static func play(seed: UInt64) -> TrialOutcome {
    var random = TrialRandom(seed: seed)
    let types = MessageType.allCases
    let type =
      random.onceIn(40)
      ? MessageType.document
      : types[types.index(types.startIndex, offsetBy: random.below(types.count))]
    var candidate = JSONDraft(random: random)
    let text = type == .document ? candidate.nested() : candidate.message(type, depth: 0)
    random = candidate.random
    let whole = Array(text.utf8)
    let bytes = random.onceIn(3) ? whole : TrialConversation.mutated(whole, &random)
    guard let message = try? WireMessage(jsonText: bytes, as: type, project: "p") else {
      return .refused
    }
    let written = message.json(project: "p", layout: .compact)
    let pretty = message.json(project: "p", layout: .pretty)
    for text in [written, pretty] {
      guard let again = try? WireMessage(jsonText: text, as: type, project: "p") else {
        return .failed("\(type): its JSON is not read")
      }
      if again.json(project: "p", layout: .compact) != written {
        return .failed("\(type): its JSON differs")
      }
    }
    let binary = message.protobuf(project: "p")
    guard let again = try? WireMessage(protobuf: binary, as: type, project: "p") else {
      return .failed("\(type): its protobuf is not read")
    }
    return again.json(project: "p", layout: .compact) == written
      ? .taken : .failed("\(type): its protobuf differs")
  }
}

/// JSON of messages, generated from the rows of the table; one member in thirty is of another kind.
private struct JSONDraft {
  var random: TrialRandom

  /// Maximum depth of generated messages; deeper members are left out.
  private static let greatestDepth = 6
  private static let others = [
    "null", "true", "1", "-1.5", "\"x\"", "[]", "{}", "1e400", "[null]", "\"1\"", "{\"x\":1}",
  ]
  private static let integers = [
    "0", "1", "-1", "\"7\"", "1.0", "1e3", "1.5", "2147483647", "2147483648", "-2147483648",
    "\"9223372036854775807\"", "\"-9223372036854775808\"", "9223372036854775808", "\"\"",
  ]
  private static let doubles = [
    "0", "-0.0", "1.5", "1e308", "5e-324", "1e400", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"",
    "\"2.5\"", "123456789012345678901234567890",
  ]
  private static let octets = ["\"\"", "\"AQID\"", "\"+/8=\"", "\"-_8\"", "\"AQ\"", "\"A\""]
  private static let times = [
    "\"2020-01-01T00:00:00Z\"", "\"2020-01-01T01:00:00.5+01:00\"", "\"0001-01-01T00:00:00Z\"",
    "\"9999-12-31T23:59:59.999999999Z\"", "\"1969-12-31T23:59:59.9Z\"", "\"2020-13-01T00:00:00Z\"",
  ]
  private static let texts = [
    "", "a", "b", "__type__", "__vector__", "value", "\\ud83d", "\\ud83d\\ude00", "?", "\\\"\\\\",
    "\\u0000", "é", "projects/p/databases/d/documents/a/b", "projects/q/databases/d/documents/a/b",
    "projects/p/databases", "projects",
  ]

  /// Returns an object with the fields of a message.
  mutating func message(_ type: MessageType, depth: Int) -> String {
    var members: [String] = []
    var oneofs: [String] = []
    for field in type.spec.fields where random.onceIn(depth > 3 ? 4 : 2) {
      if let oneof = field.oneof?.description {
        if oneofs.contains(oneof), !random.onceIn(30) { continue }
        oneofs.append(oneof)
      }
      let name = random.onceIn(4) ? field.name.description : field.jsonName
      var content = ""
      if field.isRepeated {
        let elements = (0..<random.below(4)).map { _ in self.content(field.kind, depth: depth) }
        content = "[" + elements.joined(separator: ", ") + "]"
      } else {
        content = self.content(field.kind, depth: depth)
      }
      members.append("\"\(name)\": \(content)")
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Returns a document with one value inside a random number of lists and maps, sometimes more than are
  /// accepted.
  mutating func nested() -> String {
    var value = self.value(depth: Self.greatestDepth)
    for _ in 0..<random.below(40) {
      value =
        random.onceIn(2)
        ? "{\"arrayValue\":{\"values\":[\(value)]}}"
        : "{\"mapValue\":{\"fields\":{\"k\":\(value)}}}"
    }
    return "{\"fields\":{\"a\":\(value)}}"
  }

  private mutating func content(_ kind: FieldKind, depth: Int) -> String {
    if random.onceIn(30) { return pick(Self.others) }
    switch kind {
    case .bool: return pick(["true", "false", "\"true\"", "\"false\""])
    case .int32, .int64, .int32Value, .int64Value: return pick(Self.integers)
    case .doubleValue: return pick(Self.doubles)
    case .enumeration: return random.onceIn(5) ? "\"EQUAL\"" : "\(random.below(12))"
    case .string: return text()
    case .bytes: return pick(Self.octets)
    case .message(let type):
      return depth < Self.greatestDepth ? message(type, depth: depth + 1) : "{}"
    case .timestamp: return pick(Self.times)
    case .value: return value(depth: depth)
    case .fields: return fields(depth: depth)
    case .labels: return "{\(text()):\(text()), \(text()):\(text())}"
    }
  }

  private mutating func value(depth: Int) -> String {
    switch random.below(depth < Self.greatestDepth ? 12 : 9) {
    case 0: return "{\"nullValue\": \(pick(["null", "\"NULL_VALUE\"", "0"]))}"
    case 1: return "{\"booleanValue\": \(content(.bool, depth: depth))}"
    case 2: return "{\"integerValue\": \(pick(Self.integers))}"
    case 3: return "{\"doubleValue\": \(pick(Self.doubles))}"
    case 4: return "{\"timestampValue\": \(pick(Self.times))}"
    case 5: return "{\"stringValue\": \(text())}"
    case 6: return "{\"bytesValue\": \(pick(Self.octets))}"
    case 7: return "{\"referenceValue\": \(text())}"
    case 8:
      return "{\"geoPointValue\": {\"latitude\": \(pick(Self.doubles)), \"longitude\": 1}}"
    case 9, 10: return "{\"mapValue\": {\"fields\": \(fields(depth: depth + 1))}}"
    default:
      let elements = (0..<random.below(4)).map { _ in value(depth: depth + 1) }
      return "{\"arrayValue\": {\"values\": [\(elements.joined(separator: ","))]}}"
    }
  }

  private mutating func fields(depth: Int) -> String {
    if random.onceIn(8) {
      let numbers = (0..<random.below(3)).map { _ in "{\"doubleValue\":\(pick(Self.doubles))}" }
      return "{\"__type__\":{\"stringValue\":\"__vector__\"},\"value\":{\"arrayValue\":"
        + "{\"values\":[\(numbers.joined(separator: ","))]}}}"
    }
    let members = (0..<random.below(3)).map { _ in "\(text()): \(value(depth: depth))" }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private mutating func text() -> String { "\"" + pick(Self.texts) + "\"" }

  private mutating func pick(_ texts: [String]) -> String { texts[random.below(texts.count)] }
}
