import Testing

@testable import RulesLang
@testable import RulesTesting

/// No pattern and no text makes the engine hang, crash or eat memory.
@Suite struct PatternHostileTests {
  /// Far above what any of these takes, far below what an exponential one would.
  private func expectPatience(since start: ContinuousClock.Instant, _ comment: Comment) {
    #expect(ContinuousClock.now - start < .seconds(30), comment)
  }

  @Test(arguments: [
    "(a*)*b", "(a|aa)+$b", "(a+a+)+b", "(a|a)*b", "(.*)(.*)(.*)(.*)b", "(a?){500}a{500}b",
    "(?:a*?)*?b", "((a{0,5}){0,5}){0,5}b",
  ])
  func aBacktrackersNightmareTakesLinearTime(_ source: String) throws {
    let start = ContinuousClock.now
    let pattern = try Pattern(Text(source))
    let long = Text(String(repeating: "a", count: 100_000))
    #expect(!pattern.matches(long))
    let short = Text(String(repeating: "a", count: 50))
    #expect(!pattern.program.simulate(short))
    #expect(try pattern.replace(short, with: "x") == short)
    expectPatience(since: start, "\(source)")
  }

  @Test(arguments: [
    ("((a{1000}){1000}){1000}", true),
    ("(?:(?:(?:){1000}){1000}){1000}", false),
    ("(((((){1000}){1000}){1000}){1000}){1000}", true),
    ("(?:(?:(?:(?:^){1000}){1000}){1000}){1000}", true),
    ("(?:(?:(?:a{0}){1000}){1000}){1000}", false),
    ("(a{1000}){100}", false),
    ("(\\pL{1000}){100}", false),
    ("((a{100}b){100}c){100}", true),
  ])
  func countsMultiplyOnlyUpToALimit(_ source: String, _ isTooLarge: Bool) {
    let start = ContinuousClock.now
    var reason: PatternError.Reason?
    do throws(PatternError) { _ = try Pattern(Text(source)) } catch { reason = error.reason }
    #expect(reason == (isTooLarge ? .tooLarge : nil), "\(source)")
    expectPatience(since: start, "\(source)")
  }

  @Test(arguments: [
    "(", ")", "[", "a{2}(?i)", "(a|", "\\", "[a-", "(?i)[^", "\\Q", "\\pL", "{", "é", "[[:", "a{9",
  ])
  func piecesInEndlessRepetitionAreReadOrRefusedAtOnce(_ piece: String) {
    let start = ContinuousClock.now
    for count in [20, 500, 4096 / piece.utf16.count, Wanted.cases(10_000, of: 100_000)] {
      _ = try? Pattern(Text(String(repeating: piece, count: count)))
    }
    expectPatience(since: start, "\(piece)")
  }

  @Test func stackedRepetitionsAreLimited() {
    let stacked = { (count: Int) in Text("a" + String(repeating: "*(?i)", count: count)) }
    #expect(throws: Never.self) { try Pattern(stacked(30)) }
    #expect(throws: PatternError.self) { try Pattern(stacked(800)) }
  }

  @Test func manyLargeClassesShareOneAlphabet() throws {
    let start = ContinuousClock.now
    let classes = (0..<300).map { "[\\pL\\x{\(String(0x2000 + 3 * $0, radix: 16))}]" }
    let pattern = try Pattern(Text(classes.joined()))
    #expect(!pattern.matches("a"))
    #expect(pattern.matches(Text(String(repeating: "é", count: 300))))
    expectPatience(since: start, "classes")
  }

  @Test func anAlternationOfHundredsOfWordsIsSmall() throws {
    let words = (0..<700).map { String($0 * 37) }
    let pattern = try Pattern(Text(words.joined(separator: "|")))
    for word in words { #expect(pattern.matches(Text(word))) }
    #expect(!pattern.matches("x"))
    #expect(try pattern.replace("x37", with: "-") == "x-")
  }
}
