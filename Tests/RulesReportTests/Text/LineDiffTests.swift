import Testing

@testable import RulesReport
@testable import RulesTesting

/// Unified diffs: what they show, and that they lead from one text to the other.
@Suite struct LineDiffTests {
  private func text(_ old: String, _ new: String) -> String {
    FormatText.diff(
      of: FormatReport.File(path: "a.rules", before: Array(old.utf8), after: Array(new.utf8)))
  }

  /// Does what a diff says.
  private func patch(_ old: [UInt8], _ hunks: [LineDiff.Hunk]) -> [UInt8] {
    var lines = old.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
    if lines.last == [0x0A] { lines.removeLast() } else { lines[lines.count - 1].removeLast() }
    for hunk in hunks.reversed() {
      let range = hunk.oldStart..<(hunk.oldStart + hunk.count(.old))
      #expect(Array(lines[range]) == hunk.lines.filter { $0.mark != .new }.map(\.text))
      lines.replaceSubrange(range, with: hunk.lines.filter { $0.mark != .old }.map(\.text))
    }
    return lines.flatMap { $0 }
  }

  @Test func aChangeStandsBetweenThreeLines() {
    #expect(
      text("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nV\n6\n7\n8\n9\n") == """
        --- a.rules
        +++ a.rules
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +V
         6
         7
         8

        """)
  }

  @Test func aLineWithoutItsEndIsMarked() {
    #expect(
      text("a", "b\n") == """
        --- a.rules
        +++ a.rules
        @@ -1 +1 @@
        -a
        \\ No newline at end of file
        +b

        """)
    #expect(text("", "b\n").contains("@@ -0,0 +1 @@\n+b\n"))
    #expect(text("b\n", "").contains("@@ -1 +0,0 @@\n-b\n"))
  }

  @Test func tabsAndLineEndsAreShownAndOtherControlCharactersAreNot() {
    #expect(text("\ta\r\n", "  a\n").hasSuffix("-\ta\r\n+  a\n"))
    #expect(text("a\u{1B}[2J\rb\n", "").hasSuffix("-a?[2J?b\n"))
  }

  @Test func textsThatAreTheSameHaveNone() {
    #expect(LineDiff(Array("a\nb".utf8), Array("a\nb".utf8)).hunks.isEmpty)
    #expect(LineDiff([], []).hunks.isEmpty)
  }

  @Test(arguments: UInt64(1)...20)
  func aDiffLeadsFromOneTextToTheOther(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    for size in [3, 10, 40, 200] {
      let old = (0..<size).map { _ in "\(Int.random(in: 0..<size / 2 + 1, using: &random))" }
      var new = old
      for _ in 0..<Int.random(in: 0...size / 2, using: &random) {
        let place = Int.random(in: 0..<max(1, new.count), using: &random)
        if Bool.random(using: &random), !new.isEmpty {
          new.remove(at: place)
        } else {
          new.insert("x\(place)", at: place)
        }
      }
      let texts = [old, new].map { Array(($0.joined(separator: "\n") + "\n").utf8) }
      #expect(patch(texts[0], LineDiff(texts[0], texts[1]).hunks) == texts[1])
    }
  }

  @Test func textsWithNothingInCommonAreOneChange() {
    let old = (0..<5_000).map { "\($0)\n" }.joined()
    let new = (0..<5_000).map { "x\($0)\n" }.joined()
    let diff = LineDiff(Array(old.utf8), Array(new.utf8))
    #expect(diff.hunks.count == 1)
    #expect(patch(Array(old.utf8), diff.hunks) == Array(new.utf8))
  }
}
