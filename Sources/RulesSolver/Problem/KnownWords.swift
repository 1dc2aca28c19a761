import RulesLang

/// The texts that searches for words have found already. Where many patterns ask something of one segment,
/// most questions about it are asked again and again; for one thread.
final class KnownWords {
  /// A question.
  struct Question: Equatable {
    /// What must be matched, and what must not be.
    var patterns: [Demand]
    /// The least length, in UTF-16 units.
    var lower: Int
    /// The greatest length, in UTF-16 units.
    var upper: Int
    /// The lengths within these bounds that are not meant.
    var gaps: Set<Int>
    /// How many texts are looked for.
    var count: Int
    /// The texts that are not meant.
    var excluded: Set<Text>
  }

  /// A pattern of a question.
  struct Demand: Equatable {
    /// The pattern.
    var source: Text
    /// Whether it must be matched.
    var matches: Bool
  }

  /// What a search came to.
  struct Answer {
    /// The question.
    var question: Question
    /// The texts.
    var texts: [Text]
    /// What it cost, so that a question costs the same whichever came before it.
    var steps: Int
  }

  private var answers: [Answer] = []
  private var index = HashIndex()
  /// So many answers are kept.
  private static let greatestCount = 4096

  /// What was found; nil if nobody has asked.
  func answer(to question: Question) -> Answer? {
    index.first(hash(of: question)) { answers[$0].question == question }.map { answers[$0] }
  }

  /// Keeps what was found for a question that nobody has asked.
  func add(_ answer: Answer) {
    if answers.count >= Self.greatestCount { (answers, index) = ([], HashIndex()) }
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
