import RulesLang

/// A cache of the results of `RegexSolver`: where many patterns constrain one segment, most searches
/// recur. Not thread-safe.
final class WitnessCache {
  /// The parameters of a search.
  struct Question: Equatable {
    /// The patterns to match and not to match.
    var patterns: [Demand]
    /// Minimum length, in UTF-16 units.
    var lower: Int
    /// Maximum length, in UTF-16 units.
    var upper: Int
    /// Excluded lengths within the bounds.
    var gaps: Set<Int>
    /// The number of strings wanted.
    var count: Int
    /// Excluded strings.
    var excluded: Set<Text>
  }

  /// A pattern constraint.
  struct Demand: Equatable {
    /// The pattern.
    var source: Text
    /// True if the pattern must match.
    var matches: Bool
  }

  /// The result of a search.
  struct Answer {
    /// The parameters of the search.
    var question: Question
    /// The strings found.
    var texts: [Text]
    /// The cost of the search, charged for cached results as well, so that costs do not depend on
    /// the order of queries.
    var steps: Int
  }

  private var answers: [Answer] = []
  private var index = HashIndex()

  /// Returns the cached result of a search, or nil.
  func answer(to question: Question) -> Answer? {
    index.first(hash(of: question)) { answers[$0].question == question }.map { answers[$0] }
  }

  /// Caches a result.
  ///
  /// - Requires: The search has no cached result.
  func add(_ answer: Answer) {
    index.add(answers.count, hash: hash(of: answer.question))
    answers.append(answer)
  }

  private func hash(of question: Question) -> Hash {
    var hash = Hash(UInt64(question.excluded.count), UInt64(question.lower))
    for demand in question.patterns {
      hash.add(demand.source.bytes)
      hash.add(UInt64(demand.matches ? 1 : 0))
    }
    return hash
  }
}
