import RulesProof
import Testing

@testable import RulesProofTesting

/// Which texts there are between patterns, lengths and texts that are ruled out.
@Suite struct TextTheoryTests {
  @Test(arguments: [
    ("x.matches('[a-z]') && x != 'a' && x != 'b'", "violated"),
    ("x.matches('[a-c]') && x != 'a' && x != 'b' && x != 'c'", "proved"),
    (#"x.matches('\\n')"#, "violated"),
    (#"x.matches('[\\x00-\\x1f]{2}') && x.size() == 2"#, "violated"),
    ("x.matches('a*') && x.size() < 2 && x != 'a' && x != ''", "proved"),
    ("x.matches('a*') && x.size() < 3 && x != 'a' && x != ''", "violated"),
    ("x.matches('[^a]+') && x.matches('a+')", "proved"),
    (#"x.matches('.') && x.matches('[\\x{10000}-\\x{10ffff}]') && x.size() == 2"#, "violated"),
    (#"x.matches('[\\x{10000}-\\x{10ffff}]') && x.size() == 1"#, "proved"),
  ])
  func aTextIsFoundExactlyIfThereIsOne(_ condition: String, _ verdict: String) throws {
    let asked = try Asked(
      "match /a/{id} { allow get: if fits(resource.data.x); function fits(x) { return \(condition); } }",
      #"{"path": "/a/{id}", "methods": "get", "never": true}"#)
    #expect(asked.verdicts.map { $0.word } == [verdict])
  }
}
