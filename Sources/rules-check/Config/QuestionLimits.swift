import RulesHost
import RulesProof
import RulesSolver

/// What questions to the prover may cost: `--steps`, `--timeout` and `--total`.
struct QuestionLimits: Sendable {
  /// The steps of one question.
  var steps = Budget.questionSteps
  /// How many times the steps of one question all of them may take together.
  var questions = Budget.questionsInAll
  /// The seconds for one question; nil for no limit.
  var seconds: Double?
  /// The seconds for all questions together; nil for no limit.
  var totalSeconds: Double?

  /// Limits on steps alone, which are the same on every machine.
  init() {}

  /// What a command line says, and the defaults.
  init(_ options: LimitOptions, of invocation: Invocation) throws(UsageProblem) {
    questions = options.questions ?? questions
    seconds = try invocation[options.timeout] ?? options.seconds
    if let total = options.total { totalSeconds = try invocation[total] ?? options.totalSeconds }
    steps = try invocation[options.steps] ?? steps
  }

  /// The budget of one question, from now on.
  func question() -> Budget { Budget(steps: steps, deadline: deadline(seconds)) }

  /// The budget of all questions together, from now on.
  func whole() -> Budget {
    .whole(steps: steps * questions, deadline: deadline(totalSeconds))
  }

  /// The budget of a report of which `--timeout` is the time, from now on.
  func report() -> Budget {
    .whole(steps: steps * questions, deadline: deadline(seconds))
  }

  /// The budget of one of several questions, from now on.
  func question(of whole: Budget) -> Budget {
    whole.question(steps: steps, deadline: deadline(seconds))
  }

  private func deadline(_ seconds: Double?) -> Budget.Deadline? {
    guard let seconds else { return nil }
    let end = Clock.nanoseconds + UInt64(seconds * 1e9)
    return Budget.Deadline(seconds: seconds) { Clock.nanoseconds > end }
  }
}
