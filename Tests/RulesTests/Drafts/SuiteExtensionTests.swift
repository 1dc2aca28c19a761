import Foundation
import RulesEval
import RulesLang
import Testing

@testable import rules_check

/// Where tests are put into the text of a suite, and what they look like there.
@Suite struct SuiteExtensionTests {
  private static let added = #"{"name":"n","as":{"uid":"mallory"},"get":"/a/b","expect":"deny"}"#

  /// The text with one test in it, or several.
  private func extended(_ text: String, by tests: [String] = [added]) throws -> String {
    let suite = try #require(SuiteExtension(SourceText(name: "a.suite.json", text)))
    let json = try tests.map { try JSONParser.parse(SourceText(name: "a test", $0)) }
    let section = SuiteTestText.Section(title: "new", tests: json)
    let bytes = try #require(suite.adding([section]))
    let read = SuiteReader.read(SourceText(name: "a.suite.json", bytes: bytes)).suite
    #expect(read != nil)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let test = #"{ "as": null, "get": "/a/b", "expect": "deny" }"#
  private static let line = #"{ "name": "n","#
  private static let rest = #""as": {"uid":"mallory"}, "get": "/a/b","#
  private static let end = #""expect": "deny" }"#

  @Test func commentsBehindTheLastTestStay() throws {
    let head = "{\n  \"tests\": [\n    \(Self.test)"
    let new = "    // new\n    \(Self.line)\n      \(Self.rest)\n      \(Self.end)"
    let cases = [
      (", // about it\n    // more of it\n  ] // end\n}\n", ",", ","),
      (" // about it, too\n    /* a, b\n */\n  ]\n}", "", ","),
      (" /* before */, /* behind */\n\n  ]\n}", ",", ""),
    ]
    for (tail, comma, needed) in cases {
      let close = try #require(tail.range(of: tail.contains("\n\n") ? "\n\n  ]" : "\n  ]"))
      let expected =
        head + needed.filter { _ in comma.isEmpty } + tail[..<close.lowerBound] + "\n" + new + comma
        + tail[close.lowerBound...]
      #expect(try extended(head + tail) == expected)
    }
  }

  @Test func theEndsOfLinesTheMarkAndTheTabsAreKept() throws {
    let text = "\u{FEFF}{\r\n\t\"tests\": [\r\n\t\t\(Self.test) // x\r\n\t]\r\n}\r\n"
    let new = "\t\t// new\r\n\t\t\(Self.line)\r\n\t\t\t\(Self.rest)\r\n\t\t\t\(Self.end)"
    #expect(
      try extended(text)
        == "\u{FEFF}{\r\n\t\"tests\": [\r\n\t\t\(Self.test), // x\r\n\(new)\r\n\t]\r\n}\r\n")
    let wide = "{\n    \"tests\": [\n        \(Self.test)\n    ]\n}\n"
    #expect(try extended(wide).contains("\n        // new\n        \(Self.line)\n          \"as\""))
  }

  @Test(arguments: [
    ("{}", "{\n", "\n}"), ("{ \"rules\": \"a\" }", "{ \"rules\": \"a\",\n", " }"),
    ("{\n\t\"rules\": \"a\", // b\n}\n", "{\n\t\"rules\": \"a\", // b\n", ",\n}\n"),
  ])
  func aSuiteWithoutTestsGetsSome(_ text: String, _ head: String, _ tail: String) throws {
    let outer = text.contains("\t") ? "\t" : "  "
    let result = try extended(text)
    #expect(result.hasPrefix("\(head)\(outer)\"tests\": [\n\(outer)\(outer)// new\n"), "\(result)")
    #expect(result.hasSuffix("\(Self.end)\n\(outer)]\(tail)"), "\(result)")
  }

  @Test func anEmptyListIsOpened() throws {
    #expect(try extended("{ \"tests\": [] }").hasPrefix("{ \"tests\": [\n    // new\n"))
    #expect(try extended("{ \"tests\": [] }").hasSuffix("\(Self.end)\n  ] }"))
    let empty = "{\n  \"tests\": [\n    // none yet\n  ]\n}\n"
    #expect(try extended(empty).contains("[\n    // none yet\n    // new\n    { "))
    #expect(try extended(empty).hasSuffix("\(Self.end)\n  ]\n}\n"))
    let one = "{ \"tests\": [ \(Self.test) ] }"
    #expect(try extended(one).hasPrefix("{ \"tests\": [ \(Self.test),\n    // new\n    { "))
    #expect(try extended(one).hasSuffix("\(Self.end) ] }"))
  }

  @Test func whoHasANameIsCalledByIt() throws {
    let users = """
      "users": { "alice": "a1", "eve": { "uid": "mallory" },
        "admin": { "uid": "mallory", "token": { "admin": true } } }
      """
    func asked(_ who: String) throws -> String {
      let test = #"{"name":"n","as":\#(who),"get":"/a/b","expect":"deny"}"#
      return try extended("{ \(users), \"tests\": [] }", by: [test])
    }
    #expect(try asked(#"{"uid":"mallory"}"#).contains(#""as": "eve","#))
    #expect(try asked(#"{"uid":"a1"}"#).contains(#""as": "alice","#))
    #expect(try asked(#"{"uid":"alice"}"#).contains(#""as": {"uid":"alice"},"#))
    #expect(try asked(#"{"uid":"mallory","token":{"admin":true}}"#).contains(#""as": "admin","#))
    #expect(try asked("null").contains(#""as": null,"#))
  }

  @Test func theTimeOfTheSuiteIsNotRepeated() throws {
    let time = "2026-01-01T00:00:00Z"
    func written(_ own: String) throws -> String {
      let test = #"{"name":"n","as":null,"time":"\#(own)","get":"/a/b","expect":"deny"}"#
      return try extended("{ \"time\": \"\(time)\", \"tests\": [] }", by: [test])
    }
    #expect(try written(time).components(separatedBy: "time").count == 2)
    #expect(try written("2026-01-02T00:00:00Z").components(separatedBy: "time").count == 3)
  }
}
