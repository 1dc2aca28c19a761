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

  /// The option for steps; all questions of a report may take so many times as many.
  static func stepsOption(inAll questions: Int? = nil) -> Option {
    let all = questions.map { "; all together may take \($0) times as many" } ?? ""
    return Option(
      name: "--steps", value: "NUMBER",
      summary: "the steps of work for one question (\(Budget.questionSteps) by default)" + all)
  }

  /// The option for the time of all questions.
  static func totalOption(_ summary: String) -> Option {
    Option(name: "--total", value: "SECONDS", summary: summary)
  }

  /// Limits on steps alone, which are the same on every machine.
  init() {}

  /// Reads the options; the defaults are in seconds.
  init(
    _ invocation: Invocation, seconds: Double, total: Double? = nil,
    questions: Int = Budget.questionsInAll
  ) throws(UsageProblem) {
    self.questions = questions
    self.seconds = try invocation.seconds("--timeout") ?? seconds
    totalSeconds = try invocation.seconds("--total") ?? total
    guard let text = invocation["--steps"] else { return }
    guard let steps = Int(text), steps > 0, steps < 1 << 40 else {
      throw UsageProblem("`--steps` needs a number of steps, not `\(text)`")
    }
    self.steps = steps
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

extension Invocation {
  /// A number of seconds that an option gives; nil if it is not there.
  fileprivate func seconds(_ option: String) throws(UsageProblem) -> Double? {
    guard let text = self[option] else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds < 1e6 else {
      throw UsageProblem("`\(option)` needs a number of seconds, not `\(text)`")
    }
    return seconds
  }
}
