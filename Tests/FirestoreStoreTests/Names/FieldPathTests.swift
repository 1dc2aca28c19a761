import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Paths of fields in masks, transforms and queries.
@Suite struct FieldPathTests {
  @Test(arguments: [
    ("a", ["a"]), ("a.b._c1", ["a", "b", "_c1"]), ("`a.b`", ["a.b"]), ("`1x`.y", ["1x", "y"]),
    (#"`\``"#, ["`"]), (#"`\\`"#, ["\\"]), ("__name__", ["__name__"]), ("`ü ü`", ["ü ü"]),
  ])
  func aPathIsRead(_ text: String, _ names: [String]) throws {
    #expect(try FieldPath(mask: Text(text)).names == names.map { Text($0) })
  }

  @Test(arguments: [
    "a-b", "1x", "a..b", ".a", "a.", "`a", "``", "a`b`", "`a`b", "ü", "a b", #"`a\"#,
  ])
  func aTextThatIsNoPathIsRefused(_ text: String) {
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try FieldPath(mask: Text(text)) }
    let expected =
      "3 Invalid property path \"\(text)\". Unquoted property paths must match regex "
      + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
      + #"(`(?:[^`\\]|(?:\\.))+`)"#
    #expect(refusal == expected)
  }

  @Test func anEmptyPathIsRefused() {
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try FieldPath(mask: Text()) }
    #expect(refusal == "3 Invalid empty property path string.")
  }

  @Test func aPathHas20NamesAtMost() throws {
    let path = Array(repeating: "a", count: 20).joined(separator: ".")
    #expect(try FieldPath(mask: Text(path)).names.count == 20)
  }

  @Test(arguments: [
    (
      Array(repeating: "a", count: 21).joined(separator: "."), "paths must have at most 20 elements"
    ),
    (String(repeating: "a", count: 1501), "property path is longer than 1500 bytes."),
    ("__x__", "Invalid reserved name in field path __x__"),
    ("a.__x__", "Invalid reserved name in field path __x__"),
    ("a.__name__", "the name __key__ is reserved"), ("__name__.a", "the name __key__ is reserved"),
  ])
  func aPathToNoFieldIsRefused(_ text: String, _ message: String) {
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try FieldPath(mask: Text(text)) }
    #expect(refusal == "3 " + message)
  }
}
