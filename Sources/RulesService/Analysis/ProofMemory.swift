package import RulesProof

/// Answers about excerpts of rules, by the text of the excerpt: an edit elsewhere in a file leaves them as
/// they are.
package struct ProofMemory: Sendable {
  /// A question about an excerpt.
  package struct Key: Hashable, Sendable {
    /// The kind of a question.
    package enum Kind: Hashable, Sendable {
      /// The access that the statements of some blocks give, and the parts of them that decide nothing.
      case decisions
      /// The conditions of some blocks that clients can make true.
      case escalations
      /// The parts of some functions that decide nothing for some blocks.
      case functions
      /// A guess of a lint.
      case guess
    }

    /// The kind.
    var kind: Kind
    /// The profile and the database.
    var setting: String
    /// The text of the excerpt.
    var content: [UInt8]
    /// The statements of the excerpt that the question is about.
    var allows: [Int] = []
    /// The functions of the excerpt that the question is about.
    var functions: [Int] = []
  }

  /// The answer to a question, in the IDs and ranges of the excerpt.
  package enum Answer: Sendable {
    case decisions([AllowAccess], RedundancyReport)
    case escalations([Escalation])
    case functions(RedundancyReport)
    case guess(LintTrial.Answer)
  }

  private struct Entry {
    var answer: Answer
    var lastUse: Int
  }

  private var entries: [Key: Entry] = [:]
  private var uses = 0
  private var bytes = 0
  /// The number of answers that were not known.
  package private(set) var misses = 0

  /// Maximum answers.
  private static var capacity: Int { 8192 }
  /// Maximum bytes of the texts.
  private static var greatestBytes: Int { 32 << 20 }

  /// Creates an empty memory.
  package init() {}

  /// Returns a known answer.
  package mutating func answer(to key: Key) -> Answer? {
    uses += 1
    guard let known = entries[key]?.answer else {
      misses += 1
      return nil
    }
    entries[key]?.lastUse = uses
    return known
  }

  /// Keeps an answer; of too many, the older half is forgotten.
  package mutating func keep(_ answer: Answer, to key: Key) {
    uses += 1
    if entries.updateValue(Entry(answer: answer, lastUse: uses), forKey: key) == nil {
      bytes += key.content.count
    }
    guard entries.count > Self.capacity || bytes > Self.greatestBytes else { return }
    let ages = entries.values.map { $0.lastUse }.sorted()
    let middle = ages[ages.count / 2]
    entries = entries.filter { $0.value.lastUse > middle }
    bytes = entries.keys.reduce(0) { $0 + $1.content.count }
  }
}

/// A memory that several threads may share.
package struct ProofShelf: Sendable {
  /// Returns a known answer.
  let recall: @Sendable (ProofMemory.Key) -> ProofMemory.Answer?
  /// Keeps an answer.
  let keep: @Sendable (ProofMemory.Answer, ProofMemory.Key) -> Void

  /// A memory that keeps nothing.
  package static let none = ProofShelf(recall: { _ in nil }, keep: { _, _ in })

  /// Creates a memory from functions that any thread may call.
  package init(
    recall: @escaping @Sendable (ProofMemory.Key) -> ProofMemory.Answer?,
    keep: @escaping @Sendable (ProofMemory.Answer, ProofMemory.Key) -> Void
  ) {
    (self.recall, self.keep) = (recall, keep)
  }
}
