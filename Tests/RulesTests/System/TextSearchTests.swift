import Testing

@testable import rules_check

/// Finding and replacing parts of texts, without the library for regular expressions.
@Suite struct TextSearchTests {
  @Test(arguments: [
    ("abcabc", "bc", 1), ("abc", "abc", 0), ("aab", "ab", 1), ("ababac", "abac", 2),
    ("abc", "d", nil),
    ("", "a", nil), ("abc", "abcd", nil), ("abc", "", nil), ("größe = groß", "groß", 10),
  ])
  func aPartIsFoundWhereItStandsFirst(text: String, part: String, place: Int?) {
    let found = text.firstRange(of: part)
    #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
    #expect(found.map { String(text[$0]) } == place.map { _ in part })
    // A slice has places of its own.
    let slice = ("x" + text)[("x" + text).index(("x" + text).startIndex, offsetBy: 1)...]
    #expect((slice.firstRange(of: part) == nil) == (place == nil))
    #expect(text.contains(part) == (place != nil || part.isEmpty))
  }

  @Test(arguments: [
    ("a'b'c", "'", "'\\''", "a'\\''b'\\''c"), ("aaa", "aa", "b", "ba"), ("abc", "d", "x", "abc"),
    ("abc", "", "x", "abc"), ("[a]", "[", "", "a]"), ("", "a", "b", ""),
  ])
  func everyPartIsReplaced(text: String, part: String, other: String, expected: String) {
    #expect(text.replacing(part, with: other) == expected)
  }
}
