import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct JSONReaderTests {
  private func read(_ text: String, as type: MessageType) throws -> WireMessage {
    try WireMessage(jsonText: Array(text.utf8), as: type, project: "p")
  }

  private func compact(_ text: String, as type: MessageType) throws -> String {
    let bytes = try read(text, as: type).json(project: "p", layout: .compact)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    // Integers as numbers, strings, with a fraction of zero.
    (#"{"code":7}"#, MessageType.status, #"{"code":7}"#),
    (#"{"code":"7"}"#, .status, #"{"code":7}"#),
    (#"{"code":7.0}"#, .status, #"{"code":7}"#),
    (#"{"code":70e-1}"#, .status, #"{"code":7}"#),
    (#"{"code":-2147483648}"#, .status, #"{"code":-2147483648}"#),
    (
      #"{"partitionCount":"9223372036854775807"}"#, .partitionQueryRequest,
      #"{"partitionCount":"9223372036854775807"}"#
    ),
    // Null and defaults are no members.
    (#"{"code":0,"message":""}"#, .status, "{}"),
    (#"{"code":null}"#, .status, "{}"),
    (#"{"labels":{},"writes":[]}"#, .batchWriteRequest, "{}"),
    // But of a oneof they are.
    (#"{"exists":false}"#, .precondition, #"{"exists":false}"#),
    (
      #"{"exists":null,"updateTime":"2020-01-01T00:00:00Z"}"#, .precondition,
      #"{"updateTime":"2020-01-01T00:00:00Z"}"#
    ),
    (#"{"transaction":""}"#, .runQueryRequest, #"{"transaction":""}"#),
    (#"{"limit":0,"offset":0}"#, .structuredQuery, #"{"limit":0}"#),
    // The proto's names.
    (
      #"{"update_time":"2020-01-01T01:00:00.5+01:00"}"#, .precondition,
      #"{"updateTime":"2020-01-01T00:00:00.500Z"}"#
    ),
    // Enumerations by name and number.
    (#"{"direction":"DESCENDING"}"#, .order, #"{"direction":"DESCENDING"}"#),
    (#"{"direction":2}"#, .order, #"{"direction":"DESCENDING"}"#),
    (#"{"direction":9}"#, .order, #"{"direction":9}"#),
    (#"{"op":"IN"}"#, .fieldFilter, #"{"op":"IN"}"#),
    // Base 64 in both alphabets, padded or not.
    (#"{"bitmap":"+/8="}"#, .bitSequence, #"{"bitmap":"+/8="}"#),
    (#"{"bitmap":"-_8"}"#, .bitSequence, #"{"bitmap":"+/8="}"#),
    // Bools as words.
    (#"{"before":"true"}"#, .cursor, #"{"before":true}"#),
    // Half of a pair.
    (#"{"message":"a\ud83d"}"#, .status, #"{"message":"a?"}"#),
    (
      #"{"labels":{"\ud83d":"a","?":"b"}}"#, .batchWriteRequest, #"{"labels":{"?":"b"}}"#
    ),
  ])
  func formsThatGoogleTakesAreTaken(_ text: String, _ type: MessageType, _ expected: String) throws
  {
    #expect(try compact(text, as: type) == expected)
  }

  @Test(arguments: [
    (#"{"nullValue":null}"#, #"{"nullValue":null}"#),
    (#"{"nullValue":"NULL_VALUE"}"#, #"{"nullValue":null}"#),
    (#"{"nullValue":0}"#, #"{"nullValue":null}"#),
    (#"{"integerValue":1}"#, #"{"integerValue":"1"}"#),
    (#"{"integer_value":"-1"}"#, #"{"integerValue":"-1"}"#),
    (#"{"doubleValue":1}"#, #"{"doubleValue":1.0}"#),
    (#"{"doubleValue":"-0"}"#, #"{"doubleValue":-0.0}"#),
    (#"{"doubleValue":"-Infinity"}"#, #"{"doubleValue":"-Infinity"}"#),
    (#"{"doubleValue":1e300}"#, #"{"doubleValue":1.0E300}"#),
    (#"{"stringValue":""}"#, #"{"stringValue":""}"#),
    (#"{"stringValue":"x","booleanValue":null}"#, #"{"stringValue":"x"}"#),
    (#"{"arrayValue":{}}"#, #"{"arrayValue":{}}"#),
    (#"{"arrayValue":{"values":null}}"#, #"{"arrayValue":{}}"#),
    (#"{"mapValue":{"fields":{}}}"#, #"{"mapValue":{}}"#),
    (
      #"{"geoPointValue":{"longitude":2,"latitude":null}}"#, #"{"geoPointValue":{"longitude":2.0}}"#
    ),
    (#"{"geoPointValue":{}}"#, #"{"geoPointValue":{}}"#),
    (
      #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#,
      #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#
    ),
    (
      #"{"timestampValue":"2020-01-01T00:00:00.123456789Z"}"#,
      #"{"timestampValue":"2020-01-01T00:00:00.123456789Z"}"#
    ),
    (
      #"{"mapValue":{"fields":{"value":{"arrayValue":{"values":[{"doubleValue":1}]}},"__type__":{"stringValue":"__vector__"}}}}"#,
      #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.0}]}}}}}"#
    ),
  ])
  func valuesAreRead(_ value: String, _ expected: String) throws {
    #expect(try compact(#"{"values":[\#(value)]}"#, as: .cursor) == #"{"values":[\#(expected)]}"#)
  }

  @Test(arguments: [
    ("", MessageType.status, "", "a value is missing at the end of the text"),
    ("{", .status, "", "a key in double quotes is missing here"),
    ("[]", .status, "", "a list stands where an object is needed"),
    (#"{"nope":1}"#, .status, "nope", "google.rpc.Status has no such field"),
    (#"{"code":1.5}"#, .status, "code", "the integer is not one of 64 bits"),
    (#"{"code":2147483648}"#, .status, "code", "the integer is not one of 32 bits"),
    (#"{"code":"x"}"#, .status, "code", "a string stands where an integer is needed"),
    (#"{"code":true}"#, .status, "code", "a bool stands where an integer is needed"),
    (#"{"message":5}"#, .status, "message", "a number stands where a string is needed"),
    (#"{"code":1,"code":2}"#, .status, "", "the key \"code\" is repeated here"),
    (#"{"updateMask":{},"update_mask":{}}"#, .write, "updateMask", "the field is repeated here"),
    (
      #"{"delete":"a","verify":"b"}"#, .write, "verify",
      "only one of `delete` and this field can be set"
    ),
    (
      #"{"writes":[{},{"update":{"fields":{"x":{"nope":1}}}}]}"#, .commitRequest,
      "writes[1].update.fields.x.nope", "google.firestore.v1.Value has no such field"
    ),
    (
      #"{"values":[{"stringValue":"","nullValue":null}]}"#, .cursor, "values[0].nullValue",
      "a value has more than one type"
    ),
    (#"{"values":[null]}"#, .cursor, "values[0]", "null stands where an object is needed"),
    (#"{"values":{}}"#, .cursor, "values", "an object stands where a list is needed"),
    (#"{"before":"yes"}"#, .cursor, "before", "a string stands where a bool is needed"),
    (#"{"direction":"UP"}"#, .order, "direction", "the enumeration has no value `UP`"),
    (#"{"bitmap":"*"}"#, .bitSequence, "bitmap", "the string is not base 64"),
    (
      #"{"updateTime":"2020"}"#, .precondition, "updateTime",
      "there is no time of RFC 3339 between the years 1 and 9999"
    ),
    (
      #"{"values":[{"doubleValue":1e999}]}"#, .cursor, "values[0].doubleValue",
      "the number is too large for a double"
    ),
    (
      #"{"values":[{"doubleValue":"0x1p3"}]}"#, .cursor, "values[0].doubleValue",
      "a string stands where a number is needed"
    ),
    (
      #"{"values":[{"mapValue":{"field":{}}}]}"#, .cursor, "values[0].mapValue.field",
      "the message has no such field"
    ),
    (
      #"{"values":[{"geoPointValue":{"lat":1}}]}"#, .cursor, "values[0].geoPointValue.lat",
      "google.type.LatLng has no such field"
    ),
    (
      #"{"values":[{"nullValue":1}]}"#, .cursor, "values[0].nullValue",
      "a number stands where null is needed"
    ),
  ])
  func whatDoesNotFitIsRefusedInTheOfficialWords(
    _ text: String, _ type: MessageType, _ place: String, _ detail: String
  ) throws {
    do {
      _ = try WireMessage(jsonText: Array(text.utf8), as: type)
      Issue.record("read")
    } catch {
      #expect(error.kind == .malformed)
      #expect(error.message == "Payload isn't valid for request.")
      #expect(error.place == place)
      #expect(error.detail == detail)
    }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: WireProblem.json("the text is not UTF-8")) {
      try WireMessage(jsonText: [0x22, 0xFF, 0x22], as: .status)
    }
  }

  @Test(arguments: ["{}", #"{"stringValue":null}"#])
  func aValueOfNoTypeIsRefusedInTheOfficialWords(_ value: String) {
    let text = #"{"fields":{"x":{"mapValue":{"fields":{"y":\#(value)}}}}}"#
    do {
      _ = try WireMessage(jsonText: Array(text.utf8), as: .document)
      Issue.record("read")
    } catch {
      #expect(error.kind == .invalidArgument)
      #expect(error.message == "Cannot convert firestore.v1.Value with type unset.")
      #expect(error.place == "fields.x.mapValue.fields.y")
    }
  }

  /// JSON that a program makes has no limit of its parser.
  @Test func nestingEndsAfterAHundredObjects() {
    var value = JSON(.object([JSON.Member("nullValue", value: JSON(.null))]))
    for _ in 0..<200 {
      let fields = JSON(.object([JSON.Member("k", value: value)]))
      let map = JSON(.object([JSON.Member("fields", value: fields)]))
      value = JSON(.object([JSON.Member("mapValue", value: map)]))
    }
    let cursor = JSON(.object([JSON.Member("values", value: JSON(.array([value])))]))
    do {
      _ = try WireMessage(json: cursor, as: .cursor)
      Issue.record("read")
    } catch { #expect(error.detail == "messages are nested more than 100 deep") }
  }
}
