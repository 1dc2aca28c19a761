import RulesLang
import Testing

@testable import RulesEval

/// Numbers of an ID token, as the emulator was seen to take them (Docs/Fidelity.md §22).
@Suite struct ClaimNumberTests {
  @Test(arguments: [
    ("1", "1"), ("1.0", "1"), ("1e3", "1000"), ("1E3", "1000"), ("1.5e1", "15"), ("10e-1", "1"),
    ("0.0", "0"), ("-0.0", "0"), ("-0", "0"), ("0.00", "0"), ("0.1e1", "1"),
    ("1e18", "1000000000000000000"), ("9223372036854775807", "9223372036854775807"),
    ("9223372036854775807.0", "9223372036854775807"),
    ("9223372036854774784.0", "9223372036854774784"),
    ("-9223372036854775808.0", "-9223372036854775808"),
    ("9007199254740993.0", "9007199254740993"), ("4611686018427387905.0", "4611686018427387905"),
    ("1.0000000000000001", "1"), ("9223372036854775807.5", "9223372036854775807"),
    ("4503599627370497.3", "4503599627370497"), ("9007199254740992.4", "9007199254740992"),
    ("-9223372036854775808.5", "-9223372036854775808"), ("1e-400", "0"), ("-1e-400", "0"),
    ("9.223372036854775807e18", "9223372036854775807"),
  ])
  func aWholeNumberIsAnInt(_ text: String, _ number: String) throws {
    guard case .int(let whole) = ClaimNumber.value(of: text) else {
      Issue.record("\(text) is no int")
      return
    }
    #expect("\(whole)" == number)
  }

  @Test(arguments: [
    ("1.5", 1.5), ("15e-1", 1.5), ("1e19", 1e19), ("-1e19", -1e19),
    ("9223372036854775808", 0x1p63), ("9223372036854775808.0", 0x1p63),
    ("-9223372036854775809", -0x1p63), ("1e308", 1e308), ("1e400", .infinity),
    ("1234567890123456789012", 1234567890123456789012.0),
    ("9007199254740993.5", 9007199254740994.0), ("0.99999999999999999", 1.0), ("1e-10", 1e-10),
    ("123456789012345678901234567890e-20", 1234567890.1234567),
    ("1e99999999999999999999", .infinity),
  ])
  func anyOtherIsAFloat(_ text: String, _ number: Double) throws {
    guard case .float(let float) = ClaimNumber.value(of: text) else {
      Issue.record("\(text) is no float")
      return
    }
    #expect(float == number)
  }

  @Test func aTokenIsReadSoAtAnyDepthAndDataIsNot() throws {
    let text = """
      {"rules": "x", "users": {"u": {"uid": "u", "token": {"a": 1.0, "b": [2.0, {"c": 3e0}],
      "d": {"$float": 4}}}},
      "tests": [{"as": "u", "create": "/c/a", "data": {"a": 1.0}, "expect": "allow"}]}
      """
    let (suite, diagnostics) = SuiteReader.read(SourceText(name: "x.suite.json", text))
    #expect(diagnostics.isEmpty)
    let test = try #require(suite?.tests.first)
    let token = try #require(test.principal).token
    #expect(Value.areIdentical(try #require(token["a"]), .int(1)))
    let inner = Value.map(MapValue([("c", .int(3))]))
    #expect(Value.areIdentical(try #require(token["b"]), .list([.int(2), inner])))
    #expect(Value.areIdentical(try #require(token["d"]), .int(4)))
    guard case .operation(.commit(let writes)) = test.subject,
      case .set(let data, _) = writes[0].change
    else {
      Issue.record("no write")
      return
    }
    #expect(Value.areIdentical(try #require(data["a"]), .float(1)))
  }
}
