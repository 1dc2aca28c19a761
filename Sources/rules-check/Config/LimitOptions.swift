import RulesHost
import RulesSolver

/// The options of a command that limit its questions to the prover, with their defaults.
struct LimitOptions {
  /// The time for one question.
  let timeout: Option<Double>
  /// The default of `timeout` in seconds.
  let seconds: Double
  /// The time for all questions together; nil if the command has no such option.
  let total: Option<Double>?
  /// The default of `total` in seconds; nil without that option.
  let totalSeconds: Double?
  /// The steps of one question.
  let steps: Option<Int>
  /// Maximum total steps, as a multiple of those of one question; nil for the default, which help does not
  /// mention.
  let questions: Int?

  /// Creates the options, each with a sentence to which help adds the default.
  init(
    _ what: String, seconds: Double, total: (what: String, seconds: Double)? = nil,
    questions: Int? = nil
  ) {
    timeout = .seconds(name: "--timeout", summary: Self.summary(what, seconds))
    self.seconds = seconds
    self.total = total.map { .seconds(name: "--total", summary: Self.summary($0.what, $0.seconds)) }
    totalSeconds = total?.seconds
    let all = questions.map { "; all together may take \($0) times as many" } ?? ""
    steps = Option(
      name: "--steps", value: "NUMBER", in: 1...(1 << 40) - 1,
      summary: "the steps of work for one question (\(Budget.questionSteps) by default)" + all,
      refusal: { UsageProblem("`\($1)` needs a number of steps, not `\($0)`") })
    self.questions = questions
  }

  /// The rows of the table of options, in the order of help.
  var rows: [any OptionRow] {
    [timeout.asLimit] + (total.map { [$0.asLimit] } ?? []) + [steps.asLimit]
  }

  private static func summary(_ what: String, _ seconds: Double) -> String {
    "\(what) (\(Int(seconds)) s by default)"
  }
}
