/// The results of a campaign, in figures.
struct Tally {
  /// The kind of questions: `expressions`, `requests`, ….
  var name: String
  /// The questions that both sides answered.
  var compared = 0
  /// The number of these that the rules allow.
  var allowed = 0
  /// Questions that both sides refuse before the rules decide, or that are malformed.
  var refused = 0
  /// Questions without an answer, because the emulator itself fails.
  var unanswered = 0
  /// The denials, whose messages were compared.
  var denials = 0
  /// The rules files.
  var files = 0
  /// The differences, by kind.
  var differences: [AnswerDifference.Kind: Int] = [:]

  /// Creates an empty tally.
  init(_ name: String) { self.name = name }

  /// Counts a judgement.
  mutating func add(_ judgement: Referee.Judgement) {
    if judgement.ours.verdict == .refused, judgement.theirs.verdict == .refused {
      refused += 1
      return
    }
    compared += 1
    if judgement.theirs.verdict == .allow { allowed += 1 }
    if judgement.theirs.verdict == .deny { denials += 1 }
    for kind in Set(judgement.differences.map(\.kind)) { add(kind) }
  }

  /// Counts a difference.
  mutating func add(_ kind: AnswerDifference.Kind) { differences[kind, default: 0] += 1 }

  /// The number of differences, except those of messages.
  var disagreements: Int {
    AnswerDifference.Kind.allCases.reduce(0) { $0 + ($1 == .message ? 0 : differences[$1] ?? 0) }
  }

  /// True if only messages differ, and at most one in a hundred.
  var isGood: Bool { compared > 0 && disagreements == 0 && messageShare >= 9_900 }

  /// The share of equal messages, in hundredths of a percent.
  var messageShare: Int {
    let different = differences[.message] ?? 0
    return denials == 0 ? 10_000 : max(0, denials - different) * 10_000 / denials
  }

  /// The results on one line.
  var summary: String {
    let counts = AnswerDifference.Kind.allCases.compactMap { kind in
      differences[kind].map { "\($0) \(kind.rawValue)" }
    }
    let share = "\(messageShare / 100).\(messageShare % 100 < 10 ? "0" : "")\(messageShare % 100) %"
    let found = disagreements == 0 ? "0 disagree" : "\(disagreements) disagree"
    return "\(compared) \(name) on \(files) rule sets, \(allowed) allowed: \(found); "
      + "messages equal: \(share) of \(denials)"
      + (counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))")
      + (unanswered == 0 ? "" : "; the emulator failed on \(unanswered) more")
  }
}
