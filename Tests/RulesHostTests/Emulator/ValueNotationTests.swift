import RulesEval
import RulesLang
import Testing

@testable import RulesHost
@testable import RulesTesting

/// Values of ours and of the emulator's reports: equal ones are equal texts, others are not.
@Suite struct ValueNotationTests {
  private func json(_ text: String) throws -> JSON {
    try JSONParser.parse(SourceText(name: "value", text))
  }

  static let pairs: [(Value, String)] = [
    (.null, #"{"nullValue": null}"#), (.bool(true), #"{"boolValue": true}"#),
    (.bool(false), #"{"boolValue": false}"#), (.int(-7), #"{"intValue": "-7"}"#),
    (.float(1), #"{"floatValue": 1}"#), (.float(.nan), #"{"floatValue": "NaN"}"#),
    (.float(1e100), #"{"floatValue": 1E+100}"#), (.string("1"), #"{"stringValue": "1"}"#),
    (.string("a\"\n"), #"{"stringValue": "a\"\n"}"#),
    (.bytes([0, 255]), #"{"bytesValue": "AP8="}"#),
    (
      .list([.int(1), .null]),
      #"{"listValue": {"values": [{"intValue": "1"}, {"nullValue": null}]}}"#
    ),
    (.list([]), #"{"listValue": {}}"#), (.map(MapValue()), #"{"mapValue": {}}"#),
    (
      .map(MapValue([("b", .int(1)), ("a", .string("x"))])),
      #"{"mapValue": {"fields": {"a": {"stringValue": "x"}, "b": {"intValue": "1"}}}}"#
    ),
    (
      .path(PathValue([.plain("a"), .capture("n", "v"), .glob("g", ["x", "y"])])),
      #"""
      {"pathValue": {"segments": [{"simple": "a"},
        {"capture": {"variableName": "n", "boundValue": "v"}},
        {"globCapture": {"variableName": "g",
          "boundValue": {"segments": [{"simple": "x"}, {"simple": "y"}]}}}]}}
      """#
    ),
    (.vector([1, 2.5]), #"{"vectorValue": {"values": [{"floatValue": 1}, {"floatValue": 2.5}]}}"#),
  ]

  @Test func eachIsWrittenAsTheEmulatorsIs() throws {
    let ours = Self.pairs.map { ValueNotation.text($0.0) }
    for (pair, text) in zip(Self.pairs, ours) {
      #expect(ValueNotation.text(reported: try json(pair.1)) == text)
    }
    #expect(Set(ours).count == ours.count)
  }

  @Test(arguments: [
    "{}", "3", #"{"newValue": 1}"#, #"{"listValue": {"values": [{"newValue": 1}]}}"#,
    #"{"mapValue": {"fields": {"a": {"newValue": 1}}}}"#, #"{"floatValue": true}"#,
  ])
  func anUnknownFormIsNoValue(_ text: String) throws {
    #expect(ValueNotation.text(reported: try json(text)) == nil)
  }

  @Test func aTokenIsExactlyTheClaims() throws {
    let principal = Principal(exactClaims: MapValue([("sub", .string("é")), ("n", .int(3))]))
    let parts = UnsignedToken.text(of: principal)
      .split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts[2].isEmpty)
    // {"alg":"none","typ":"JWT"} and {"sub":"é","n":3}
    #expect(parts[0] == "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0")
    #expect(parts[1] == "eyJzdWIiOiLDqSIsIm4iOjN9")
  }
}
