package import RulesLang

// Facts that proofs give to lints. A lint compares the text of conditions, and so guesses. With proofs, each
// guess becomes a query: do two small files decide every request alike?

/// Proved facts about statements and about the guesses of lints.
package struct LintFacts: Sendable {
  /// For some statements, the methods for which they never grant anything.
  package var dead: [AllowID: MethodSet] = [:]
  /// Guesses that are refuted: wrong for every request.
  package var refuted: Set<LintGuess.Key> = []
  /// Guesses that a request confirms.
  package var shown: Set<LintGuess.Key> = []

  /// Creates facts without any proof.
  package init() {}
}

/// A guess of a lint, stated about two rules files: the second one allows some request that the first one
/// denies, or the other way round.
package struct LintGuess: Sendable {
  /// The subject of a guess.
  package enum Key: Hashable, Sendable {
    /// A statement grants a method for documents of another statement's block, which seems to deny it.
    case grants(AllowID, Method, despite: AllowID)
    /// A statement below a glob grants a method for the document around it that the document's own statements
    /// do not grant.
    case exceeds(AllowID, Method)
    /// An alternative of an update, by its number, writes data that a check of a create, by its number,
    /// refuses.
    case breaks(AllowID, way: Int, check: Int)
  }

  /// The subject of a guess.
  package var key: Key
  /// The first rules file.
  package var first: String
  /// The second rules file, which is guessed to decide some request otherwise.
  package var second: String
}

extension Linter {
  /// Returns the guesses of lints about rules for which `facts` are known.
  package static func guesses(in checked: Checked, knowing facts: LintFacts) -> [LintGuess] {
    guard checked.ruleset.source.bytes.count <= Limits.documentedSourceBytes else { return [] }
    let subject = LintSubject(checked, facts: facts)
    return PowerlessDeny.guesses(in: subject) + ZeroSegments.guesses(in: subject)
      + UpdateBypass.guesses(in: subject)
  }
}

extension LintSubject {
  /// Returns a guess about two files with one block each; nil if one of them cannot be written.
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

  /// Returns the condition of a statement as text for a block with a pattern; nil if it cannot be written.
  func text(_ allow: AllowID, in pattern: [PatternStep]) -> String? {
    var text = TermText(terms, in: pattern)
    return text.conjunction([conditions[allow.index].root])
  }
}
