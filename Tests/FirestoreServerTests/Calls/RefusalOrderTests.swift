import RulesLang
import Testing

@testable import FirestoreServer

/// Requests with two mistakes: the official emulator names the one that it looks for first (Docs/Fidelity.md,
/// §38 and §39). Each pair was put to it, as JSON.
@Suite struct RefusalOrderTests {
  /// A mistake: parts of a request by key, as JSON, and some of the words of its refusal.
  private struct Mistake {
    var name: String
    var parts: [String: String]
    var words: String
  }

  private static func condition(_ field: String, _ op: String, _ value: String) -> String {
    #"{"fieldFilter":{"field":{"fieldPath":"\#(field)"},"op":"\#(op)","value":\#(value)}}"#
  }

  private static func all(_ conditions: String...) -> String { all(conditions) }

  private static func all(_ conditions: [String]) -> String {
    #"{"compositeFilter":{"op":"AND","filters":[\#(conditions.joined(separator: ","))]}}"#
  }

  private static let one = #"{"integerValue":"1"}"#

  private static func list(_ count: Int) -> String {
    let values = Array(repeating: one, count: count).enumerated().map {
      $0.element.replacing("1", with: "\($0.offset)")
    }
    return #"{"arrayValue":{"values":[\#(values.joined(separator: ","))]}}"#
  }

  private static func nearest(_ vector: String) -> String {
    #"{"vectorField":{"fieldPath":"v"},"queryVector":\#(vector),"distanceMeasure":"COSINE","limit":1}"#
  }

  private static let vector =
    #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
    + #""value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}}"#

  /// Mistakes of queries, in the order in which they are looked for.
  private static let queries: [Mistake] = [
    Mistake(
      name: "two negations",
      parts: ["where": all(condition("v", "NOT_IN", list(1)), condition("v", "NOT_EQUAL", one))],
      words: "Only a single 'NOT_EQUAL'"),
    Mistake(
      name: "a negation beside alternatives",
      parts: ["where": all(condition("v", "NOT_IN", list(1)), condition("w", "IN", list(1)))],
      words: "'NOT_IN' cannot be used in the same query"),
    Mistake(
      name: "an unknown transaction", parts: ["transaction": #""AQID""#],
      words: "Invalid transaction."),
    Mistake(
      name: "two collections", parts: ["from": #"[{"collectionId":"a"},{"collectionId":"b"}]"#],
      words: "cannot have more than one collection selector"),
    Mistake(
      name: "the ID of the collection", parts: ["from": #"[{"collectionId":"__x__"}]"#],
      words: "is invalid because it is reserved"),
    Mistake(name: "a condition", parts: ["where": condition("a-b", "EQUAL", one)], words: "a-b"),
    Mistake(
      name: "the fields of the answers", parts: ["select": #"{"fields":[{"fieldPath":"c-d"}]}"#],
      words: "c-d"),
    Mistake(
      name: "an order", parts: ["orderBy": #"[{"field":{"fieldPath":"e-f"}}]"#], words: "e-f"),
    Mistake(
      name: "a cursor", parts: ["startAt": #"{"values":[\#(one)]}"#],
      words: "Cursor has too many values."),
    Mistake(
      name: "a search for the nearest", parts: ["findNearest": nearest(one)],
      words: "Query Value must be of type vector."),
    Mistake(name: "the offset", parts: ["offset": "-1"], words: "offset is negative"),
    Mistake(name: "the limit", parts: ["limit": "-1"], words: "limit is negative"),
    Mistake(
      name: "many conditions",
      parts: ["where": all((0..<101).map { condition("v\($0)", "EQUAL", one) })],
      words: "The query may not have more than 100 filters"),
    Mistake(
      name: "two array-contains",
      parts: [
        "where": all(
          condition("v", "ARRAY_CONTAINS", one), condition("v", "ARRAY_CONTAINS", list(2)))
      ],
      words: "A maximum of 1 'ARRAY_CONTAINS' filter"),
    Mistake(
      name: "a value for __name__", parts: ["where": condition("__name__", "EQUAL", one)],
      words: "filter value must be a Key"),
    Mistake(
      name: "an offset beside the nearest",
      parts: ["findNearest": nearest(vector), "offset": "1"],
      words: "A query offset cannot be used with FindNearest"),
    Mistake(
      name: "many alternatives",
      parts: ["where": all(condition("v", "IN", list(8)), condition("w", "IN", list(8)))],
      words: "Too many disjunctions"),
  ]

  /// The parts of two mistakes together; nil if both are of one part that is there once.
  private static func together(_ one: Mistake, _ other: Mistake) -> [String: String]? {
    var parts = one.parts
    for (key, part) in other.parts {
      guard let before = parts[key], before != part else {
        parts[key] = part
        continue
      }
      guard key == "where" else { return nil }
      parts[key] = all(part, before)
    }
    return parts
  }

  private static func answer(_ parts: [String: String], _ client: inout TestClient) -> String {
    var parts = parts
    let transaction = parts.removeValue(forKey: "transaction").map { #","transaction":\#($0)"# }
    parts["from"] = parts["from"] ?? #"[{"collectionId":"a"}]"#
    let members = parts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    let query = "{" + members.joined(separator: ",") + "}"
    return client.http(
      "POST", "/v1/\(String(TestClient.database))/documents:runQuery",
      #"{"structuredQuery":\#(query)\#(transaction ?? "")}"#,
      headers: ["authorization: Bearer owner"]
    ).body
  }

  @Test func ofTwoMistakesOfAQueryTheFirstInTheTableIsNamed() {
    var client = TestClient()
    var count = 0
    for (place, first) in Self.queries.enumerated() {
      for second in Self.queries[place...] {
        guard let parts = Self.together(first, second) else { continue }
        count += 1
        #expect(
          Self.answer(parts, &client).contains(first.words), "\(first.name) and \(second.name)")
      }
    }
    #expect(count > 140)
  }

  @Test func conditionsAreReadInTheirOrder() {
    let geo = #"{"geoPointValue":{"latitude":91}}"#
    let mistakes = [
      (Self.condition("a-b", "EQUAL", Self.one), "a-b"),
      (Self.condition("v", "EQUAL", geo), "Geo point latitude"),
      (Self.condition("v", "IN", Self.list(0)), "'IN' requires an non-empty ArrayValue."),
      (Self.condition("v", "IN", Self.list(31)), "'IN' supports up to 30 comparison values."),
      (#"{"compositeFilter":{"op":"OR","filters":[]}}"#, "at least one sub-filter"),
      (#"{"fieldFilter":{"field":{"fieldPath":"v"},"value":\#(Self.one)}}"#, "Unknown FieldFilter"),
    ]
    var client = TestClient()
    for (one, words) in mistakes {
      for (other, _) in mistakes where other != one {
        let answer = Self.answer(["where": Self.all(one, other)], &client)
        #expect(answer.contains(words), "\(one) before \(other)")
      }
    }
    // Parts of one condition: its field, its value, the length of its list, its operator.
    let rows = [
      (Self.condition("a-b", "IN", geo), "a-b"), (Self.condition("v", "IN", geo), "Geo point"),
      (
        #"{"fieldFilter":{"field":{"fieldPath":"v"},"value":\#(geo)}}"#, "Geo point"
      ),
      (Self.condition("__name__", "IN", Self.list(31)), "'IN' supports up to 30"),
    ]
    for (filter, words) in rows {
      #expect(Self.answer(["where": filter], &client).contains(words), "\(filter)")
    }
  }

  // MARK: Writes

  private static let name = String(TestClient.name("t/1"))

  private static func set(_ value: String, _ more: String = "") -> String {
    #"{"update":{"name":"\#(name)","fields":{"v":\#(value)}}\#(more)}"#
  }

  private static let verify =
    #"{"verify":"\#(name)","currentDocument":{"exists":true}}"#
  private static let badMask = set(one, #","updateMask":{"fieldPaths":["a-b"]}"#)
  private static let badStep = set(
    one, #","updateTransforms":[{"fieldPath":"v","increment":{"stringValue":"q"}}]"#)
  private static let insertion = set(one, #","currentDocument":{"exists":false}"#)
  private static let unnamed = #"{"update":{"name":"\#(name)","fields":{"":\#(one)}}}"#
  private static let nested = set(#"{"arrayValue":{"values":[\#(list(1))]}}"#)

  private static let commits: [(writes: [String], words: String)] = [
    ([verify, verify], "the same document cannot be verified more than once"),
    ([badMask, verify], "the same document cannot be written and then verified"),
    ([verify, badMask], "the same document cannot be verified and then written"),
    ([badMask, badStep], "a-b"), ([badStep, badMask], "Input must be int64 or double."),
    ([nested, badMask], "Cannot convert an array value in an array value."),
    ([badMask, nested], "a-b"), ([badStep, "{}"], "Input must be int64 or double."),
    (["{}", badStep], "empty write operation"),
    // Values that can be sent and not stored come behind that, and writes that cannot follow each other last.
    ([unnamed, badMask], "a-b"), ([unnamed, "{}"], "empty write operation"),
    ([set(one), insertion], "Cannot upsert then insert an entity in the same request."),
    ([set(one), insertion, badStep], "Input must be int64 or double."),
    ([set(one), insertion, unnamed], "The property.name is the empty string."),
  ]

  @Test func writesAreReadOneAfterTheOtherBeforeTheyAreComparedWithEachOther() {
    var client = TestClient()
    for (writes, words) in Self.commits {
      for transaction in ["", #","transaction":"AQID""#] {
        let answer = client.http(
          "POST", "/v1/\(String(TestClient.database))/documents:commit",
          #"{"writes":[\#(writes.joined(separator: ","))]\#(transaction)}"#,
          headers: ["authorization: Bearer owner"]
        ).body
        let isByName = words.contains("the same document")
        let expected = transaction.isEmpty || isByName ? words : "Invalid transaction."
        #expect(answer.contains(expected), "\(writes)")
      }
    }
  }

  @Test func aBatchWithADocumentTwiceIsRefusedForThatBeforeAllElse() {
    let twice = "the same document cannot be written more than once in a single request"
    var client = TestClient()
    let first = Self.set(Self.one)
    for writes in [
      [first, first, Self.badMask], [Self.badMask, first, first], [first, Self.verify],
    ] {
      for token in ["owner", TestClient.user("alice")] {
        let answer = client.http(
          "POST", "/v1/\(String(TestClient.database))/documents:batchWrite",
          #"{"writes":[\#(writes.joined(separator: ","))]}"#,
          headers: ["authorization: Bearer \(token)"]
        ).body
        #expect(answer.contains(twice), "\(writes)")
      }
    }
  }
}
