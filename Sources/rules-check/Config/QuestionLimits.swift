import RulesHost
import RulesProof
import RulesSolver

/// The limits of questions to the prover: `--steps`, `--timeout` and `--total`.
struct QuestionLimits: Sendable {
  /// The steps of one question.
  var steps = Budget.questionSteps
  /// The steps of all questions together, as a multiple of those of one.
  var questions = Budget.questionsInAll
  /// The seconds for one question; nil for no limit.
  var seconds: Double?
  /// The seconds for all questions together; nil for no limit.
  var totalSeconds: Double?

  /// Creates limits on steps alone, which are the same on every machine.
  init() {}

  /// Reads the limits of a command line, with defaults.
  init(_ options: LimitOptions, of invocation: Invocation) throws(UsageProblem) {
    questions = options.questions ?? questions
    seconds = try invocation[options.timeout] ?? options.seconds
    if let total = options.total { totalSeconds = try invocation[total] ?? options.totalSeconds }
    steps = try invocation[options.steps] ?? steps
  }

  /// Returns the budget of one question, starting now.
  func question() -> Budget { Budget(steps: steps, deadline: deadline(seconds)) }

  /// Returns the budget of all questions together, starting now.
  func whole() -> Budget {
    .whole(steps: steps * questions, deadline: deadline(totalSeconds))
  }

  /// Returns the budget of a whole report, with `--timeout` as its time, starting now.
  func report() -> Budget {
    .whole(steps: steps * questions, deadline: deadline(seconds))
  }

  /// Returns the budget of one of several questions, starting now.
  func question(of whole: Budget) -> Budget {
    whole.question(steps: steps, deadline: deadline(seconds))
  }

  private func deadline(_ seconds: Double?) -> Budget.Deadline? {
    guard let seconds else { return nil }
    let end = Clock.nanoseconds + UInt64(seconds * 1e9)
    return Budget.Deadline(seconds: seconds) {
      Interruption.isRequested || Clock.nanoseconds > end
    }
  }
}
