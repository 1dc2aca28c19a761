import RulesEval
import RulesHost
import RulesLang

/// A difference between the answers of the two sides.
struct AnswerDifference {
  /// What differs.
  enum Kind: String, CaseIterable {
    /// Whether the rules compile.
    case acceptance
    /// Whether the request is allowed, or refused before the rules are asked.
    case decision
    /// The value of an expression, or whether it has one.
    case value
    /// The text or place of an error, or the message of a denial.
    case message
  }

  /// What differs.
  var kind: Kind
  /// Where in the rules, if it is an expression.
  var span: ReportedSpan?
  /// What we say.
  var ours: String
  /// What the emulator says.
  var theirs: String
}

/// Compares the answers of both sides.
enum AnswerComparison {
  /// What differs; the worst first.
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
    // Of several documents the emulator decides any first, and then the others no more.
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

  /// Expressions with an outcome that the emulator does not report.
  ///
  /// The emulator evaluates a condition once without documents and, unless that settles it, again
  /// with them, so it may report more outcomes than ours; and where only the first evaluation took
  /// place, those of ours that need documents are not among its.
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
  /// The length of the expression; the smallest one that differs is nearest to the cause.
  fileprivate var size: Int { span.map { $0.last - $0.first } ?? Int.max }
}

extension Coverage.Outcome {
  /// Whether the expressions that may be evaluated were used up, after which the emulator reports
  /// nothing.
  fileprivate var isBudget: Bool {
    if case .error(let message, _) = self {
      return message == EvaluationError.Reason.budget.message
    }
    return false
  }

  /// Whether both say the same, but for digits of floats in texts that are not needed.
  fileprivate func isSame(as other: Coverage.Outcome) -> Bool {
    if self == other { return true }
    guard case .value(let one) = self, case .value(let two) = other else { return false }
    return FloatDigits.fewest(one) == FloatDigits.fewest(two)
  }

  /// Whether it is unknown, at least in part.
  var isOpen: Bool {
    switch self {
    case .unknown: true
    case .value(let text): text.contains(": unknown")
    case .error: false
    }
  }

  /// The outcome as a text for people and for recorded cases.
  var text: String {
    switch self {
    case .value(let value): value
    case .error(let message, let place): "error at \(place): \(message)"
    case .unknown: "unknown"
    }
  }
}
