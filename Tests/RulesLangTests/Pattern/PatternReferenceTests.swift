import Testing

@testable import RulesLang
@testable import RulesTesting

/// The engine agrees with the definition on small random patterns and texts.
@Suite struct PatternReferenceTests {
  /// Writes random patterns over a tiny alphabet.
  private struct Writer {
    var generator: SplitMix

    mutating func alternation(_ depth: Int) -> String {
      (0..<Int.random(in: 1...2, using: &generator)).map { _ in concatenation(depth) }
        .joined(separator: "|")
    }

    private mutating func concatenation(_ depth: Int) -> String {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in item(depth) }.joined()
    }

    private mutating func item(_ depth: Int) -> String {
      let counts = ["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "{2,}", "{1,3}"]
      let count = counts.randomElement(using: &generator) ?? ""
      let laziness = count.isEmpty || Bool.random(using: &generator) ? "" : "?"
      return atom(depth) + count + laziness
    }

    private mutating func atom(_ depth: Int) -> String {
      let atoms = [
        "a", "a", "b", "b", ".", "[^a]", "^", "$", "\\b", "\\B", "(?m:^)", "(?m:$)", "\n",
      ]
      if depth == 0 || Int.random(in: 0..<3, using: &generator) > 0 {
        return atoms.randomElement(using: &generator) ?? ""
      }
      let opening = Bool.random(using: &generator) ? "(" : "(?:"
      return opening + alternation(depth - 1) + ")"
    }

    mutating func text() -> Text {
      var text = Text()
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        text.append([0x61, 0x62, 0x61, 0x62, 0x0A, 0x20].randomElement(using: &generator) ?? 0x61)
      }
      return text
    }
  }

  @Test(arguments: 0..<UInt64(Wanted.cases(1, of: 20)))
  func theEngineAgreesWithTheDefinition(_ seed: UInt64) throws {
    var writer = Writer(generator: SplitMix(seed: seed))
    var exhausted = 0
    for _ in 0..<200 {
      let source = writer.alternation(3)
      let syntax = try Pattern.syntax(of: Text(source))
      let pattern = try Pattern(Text(source))
      for _ in 0..<3 {
        let text = writer.text()
        do {
          try expectAgreement(pattern, syntax, on: text)
        } catch is PatternReference.Exhausted {
          exhausted += 1
        }
      }
    }
    #expect(exhausted < 60)
  }

  private func expectAgreement(
    _ pattern: Pattern, _ syntax: PatternSyntax, on text: Text
  ) throws {
    let reference = PatternReference(syntax, text)
    let label = "`\(String(pattern.source))` on `\(String(text))`"
    let whole = try reference.matchesWhole()
    #expect(pattern.matches(text) == whole, "\(label)")
    // Without an automaton.
    #expect(try Pattern(pattern.source, serving: 0).matches(text) == whole, "\(label)")
    #expect(pattern.program.simulate(text) == whole, "\(label), simulated")
    var search = PatternSearch(
      pattern.program, in: text.bytes, tracking: Array(1..<(syntax.groupCount + 1)))
    for start in 0...text.bytes.count {
      let expected = try PatternReference(syntax, text).find(from: start)
      let isFound = search.find(from: start)
      #expect(isFound == (expected != nil), "\(label) from \(start)")
      guard isFound, let expected else { continue }
      let slots = expected.flatMap { group in
        group.map { [UInt32($0.lowerBound), UInt32($0.upperBound)] }
          ?? [PatternSearch.unset, PatternSearch.unset]
      }
      // Where a lazy loop in a loop meets itself, threads that backtracking keeps apart are one,
      // here as in the emulator: then only the start is sure to be the same.
      let compared = isGreedy(syntax) ? slots.count : 1
      #expect(search.found.prefix(compared) == slots.prefix(compared), "\(label) from \(start)")
    }
  }

  private func isGreedy(_ syntax: PatternSyntax) -> Bool {
    syntax.nodes.allSatisfy { node in
      if case .repetition(_, let repetition) = node { repetition.isGreedy } else { true }
    }
  }
}
