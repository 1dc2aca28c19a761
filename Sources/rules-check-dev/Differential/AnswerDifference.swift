import RulesEval
import RulesHost
import RulesLang

/// A difference between our answer and the emulator's.
struct AnswerDifference {
  /// The kind of difference.
  enum Kind: String, CaseIterable {
    /// One side compiles the rules, the other does not.
    case acceptance
    /// One side allows the request, the other denies it, or refuses it before the rules decide.
    case decision
    /// An expression has different values, or a value on one side only.
    case value
    /// The text or position of an error, or the message of a denial, differs.
    case message
  }

  /// The kind.
  var kind: Kind
  /// The expression that differs, if it is one.
  var span: ReportedSpan?
  /// Our answer.
  var ours: String
  /// The emulator's answer.
  var theirs: String
}

/// Compares the answers of both sides.
enum AnswerComparison {
  /// Returns the differences, the gravest first.
  static func differences(of ours: Answer, from theirs: Answer) -> [AnswerDifference] {
    if ours.isByChance, theirs.verdict == .allow || theirs.verdict == .deny { return [] }
    guard ours.verdict == theirs.verdict else {
      let isAcceptance = ours.verdict == .rejected || theirs.verdict == .rejected
      return [
        AnswerDifference(
          kind: isAcceptance ? .acceptance : .decision, span: nil, ours: text(ours),
          theirs: text(theirs))
      ]
    }
    // The emulator decides several documents in any order, and may skip some of them.
    var found = ours.isOrdered ? outcomes(of: ours, from: theirs) : []
    if ours.verdict == .deny, let message = theirs.messages.first,
      !DenialMessage.isExplained(message, by: ours.messages, lines: ours.candidates)
    {
      found.append(
        AnswerDifference(
          kind: .message, span: nil, ours: ours.messages.joined(separator: " | "), theirs: message))
    }
    return found
  }

  private static func text(_ answer: Answer) -> String {
    (["\(answer.verdict)"] + answer.messages).joined(separator: ", ")
  }

  /// Returns expressions with an outcome that the emulator does not report.
  ///
  /// The emulator evaluates a condition once without documents and, unless that settles it, again with them,
  /// so it may report more outcomes than we have; and if only the first evaluation took place, it does not
  /// report those that need documents.
  private static func outcomes(of ours: Answer, from theirs: Answer) -> [AnswerDifference] {
    var found: [AnswerDifference] = []
    var isFirstPassOnly = false
    for (span, outcomes) in ours.outcomes {
      guard let reported = theirs.outcomes[span], !reported.isEmpty else { continue }
      if outcomes != [.unknown], reported.allSatisfy(\.isOpen) {
        isFirstPassOnly = true
        continue
      }
      for outcome in outcomes
      where !outcome.isBudget && !reported.contains(where: { $0.isSame(as: outcome) }) {
        found.append(difference(of: outcome, from: reported, at: span))
      }
    }
    if isFirstPassOnly { return [] }
    return found.sorted { $0.size < $1.size }
  }

  private static func difference(
    of ours: Coverage.Outcome, from theirs: [Coverage.Outcome], at span: ReportedSpan
  ) -> AnswerDifference {
    var kind = AnswerDifference.Kind.value
    if case .error = ours, case .error? = theirs.last { kind = .message }
    return AnswerDifference(
      kind: kind, span: span, ours: ours.text,
      theirs: theirs.map(\.text).joined(separator: " | "))
  }
}

extension AnswerDifference {
  /// The length of the expression; the smallest one that differs is closest to the cause.
  fileprivate var size: Int { span.map { $0.last - $0.first } ?? Int.max }
}

extension Coverage.Outcome {
  /// True if it is the error of an exceeded budget, after which the emulator reports nothing.
  fileprivate var isBudget: Bool {
    if case .error(let message, _) = self {
      return message == EvaluationError.Reason.budget.message
    }
    return false
  }

  /// True if both outcomes are equal, except for superfluous digits of floats in texts.
  fileprivate func isSame(as other: Coverage.Outcome) -> Bool {
    if self == other { return true }
    guard case .value(let one) = self, case .value(let two) = other else { return false }
    return FloatDigits.fewest(one) == FloatDigits.fewest(two)
  }

  /// True if it is unknown, at least in part.
  var isOpen: Bool {
    switch self {
    case .unknown: true
    case .value(let text): text.contains(": unknown")
    case .error: false
    }
  }

  /// The outcome as text, for reports and recorded cases.
  var text: String {
    switch self {
    case .value(let value): value
    case .error(let message, let place): "error at \(place): \(message)"
    case .unknown: "unknown"
    }
  }
}
