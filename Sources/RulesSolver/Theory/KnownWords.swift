import RulesLang

/// The texts that searches for words have found already. Where many patterns ask something of one segment, most
/// questions about it are asked again and again; for one thread.
final class KnownWords {
  /// A question.
  struct Question: Hashable {
    /// What must be matched, and what must not be.
    var patterns: [Demand]
    /// The least length, in UTF-16 units.
    var lower: Int
    /// The greatest length, in UTF-16 units.
    var upper: Int
    /// How many texts are looked for.
    var count: Int
    /// The texts that are not meant.
    var excluded: Set<Text>
  }

  /// A pattern of a question.
  struct Demand: Hashable {
    /// The pattern.
    var source: Text
    /// Whether it must be matched.
    var matches: Bool
  }

  private var answers: [Question: [Text]] = [:]
  /// So many answers are kept.
  private static let greatestCount = 4096

  /// The texts that were found; nil if nobody has asked.
  subscript(_ question: Question) -> [Text]? {
    get { answers[question] }
    set {
      if answers.count >= Self.greatestCount { answers = [:] }
      answers[question] = newValue
    }
  }
}
