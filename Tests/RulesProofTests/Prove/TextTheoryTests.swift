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

  /// Pieces of a text have nothing of the character at which it is split, and are those of a text.
  @Test(arguments: [
    ("x.split('_')[1] == 'a'", "violated"),
    ("x.matches('user_.*') && x.split('_')[1] == 'a' && x.split('_').size() == 3", "violated"),
    ("x.split('_')[0] == 'a' && x.split('_')[2] == 'b' && x.size() == 5", "violated"),
    ("x.split('_').size() == 2 && x.split('_')[0] == ''", "violated"),
    ("x.split('[.]')[2] == 'c' && x.matches('[a-c.]*') && x.size() < 6", "violated"),
    ("'b' in x.split(',') && x.split(',')[0] == 'a' && x.size() == 3", "violated"),
    ("x.split('_')[1] == x", "proved"),
    ("x.split('_')[0] == 'a_b'", "proved"),
    ("x.split('_')[1].matches('.*_.*')", "proved"),
    ("x.split('_')[1] == 'a' && x.matches('[^_]*')", "proved"),
    ("x.split('_')[1] != x && x.matches('[a-z]*')", "proved"),
    ("x.split('_')[0] is int", "proved"),
    ("x.split('_')[-1] == 'a'", "proved"),
    ("x.split('_')[-1] == 'a' || x.split('_')[1] == 'a' && x.split('_')[-1] != 'b'", "proved"),
    // The same where pieces may have what they are split at, or there is a piece without it.
    ("x.split('^_')[0] == 'a_b'", "violated"),
    ("x.split('_')[0] == x", "violated"),
    ("x.split('')[1] == 'a'", "violated"),
    ("x.split('(?i)a')[0].matches('.*b.*') && x == 'bAb'", "violated"),
  ])
  func piecesAreThoseOfAText(_ condition: String, _ verdict: String) throws {
    let asked = try Asked(
      "match /a/{id} { allow get: if fits(resource.data.x); function fits(x) { return \(condition); } }",
      #"{"path": "/a/{id}", "methods": "get", "never": true}"#)
    #expect(asked.verdicts.map { $0.word } == [verdict], "\(condition)")
  }

  /// Where a segment of the path is split, the document has such a path.
  @Test func aSegmentIsSplit() throws {
    let asked = try Asked(
      """
      match /a/{id} {
        allow get: if id.matches('user_.*') && id.split('_')[1] == request.auth.uid;
      }
      """,
      #"""
      {"path": "/a/{id}", "methods": "get", "never": true},
      {"path": "/a/{id}", "methods": "get", "onlyIf": "request.auth.uid != id"}
      """#)
    #expect(asked.verdicts.map { $0.word } == ["violated", "proved"])
  }
}
