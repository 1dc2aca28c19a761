package import RulesLang

// Lints compare what conditions say, and so guess. Where proofs are asked for, each guess is a question: do
// two small files decide every request alike?

/// Results of proofs about statements and about guesses of lints.
package struct LintFacts: Sendable {
  /// The methods for which statements never grant anything.
  package var dead: [AllowID: MethodSet] = [:]
  /// Guesses that are wrong for every request.
  package var refuted: Set<LintGuess.Key> = []
  /// Guesses that a request shows to be right.
  package var shown: Set<LintGuess.Key> = []

  /// Makes facts of which nothing is known.
  package init() {}
}

/// Something that a lint takes for possible: that the second of two files allows a request which the first
/// one denies, or the other way round.
package struct LintGuess: Sendable {
  /// The subject of a guess.
  package enum Key: Hashable, Sendable {
    /// A statement grants a method for documents of the block of one that seems to deny it.
    case grants(AllowID, Method, despite: AllowID)
    /// A statement below a glob grants a method for the document around it that the document's own do not.
    case exceeds(AllowID, Method)
    /// One way to be granted an update writes what a check of a create refuses: their numbers.
    case breaks(AllowID, way: Int, check: Int)
  }

  /// The subject of a guess.
  package var key: Key
  /// A rules file.
  package var first: String
  /// The file that is guessed to decide some request otherwise.
  package var second: String
}

extension Linter {
  /// Returns the guesses of lints about rules with some known facts.
  package static func guesses(in checked: Checked, knowing facts: LintFacts) -> [LintGuess] {
    guard checked.ruleset.source.bytes.count <= Limits.documentedSourceBytes else { return [] }
    let subject = LintSubject(checked, facts: facts)
    return PowerlessDeny.guesses(in: subject) + ZeroSegments.guesses(in: subject)
      + UpdateBypass.guesses(in: subject)
  }
}

extension LintSubject {
  /// A guess about two files of one block, each with its statements; nil if one cannot be written.
  func guess(
    _ key: LintGuess.Key, in pattern: [PatternStep],
    _ first: [(methods: MethodSet, text: String)], _ second: [(methods: MethodSet, text: String)]
  ) -> LintGuess? {
    let version = rules.version.rawValue
    guard let first = TermText.file(of: pattern, version: "\(version)", first),
      let second = TermText.file(of: pattern, version: "\(version)", second)
    else { return nil }
    return LintGuess(key: key, first: first, second: second)
  }

  /// The condition of a statement as text for a block with a pattern; nil if it cannot be written.
  func text(_ allow: AllowID, in pattern: [PatternStep]) -> String? {
    var text = TermText(terms, in: pattern)
    return text.conjunction([conditions[allow.index].root])
  }
}
