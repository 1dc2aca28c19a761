import RulesEval
import RulesHost
import RulesLang

/// A trial with the emulator's answer, recorded in a file, so that it can be repeated without an emulator.
struct RegressionCase {
  /// The recorded outcome of an expression.
  struct Expected {
    var span: ReportedSpan
    var outcome: String
  }

  /// The description of the case, in a few words.
  var about: String
  /// The trial.
  var trial: Trial
  /// The time of the request.
  var time: Timestamp
  /// The emulator's verdict.
  var verdict: Answer.Verdict
  /// The emulator's message of the denial.
  var message: String?
  /// The outcomes of expressions in the emulator's report.
  var outcomes: [Expected]

  /// Returns our present differences from the recorded answer.
  func problems() -> [String] {
    guard let question = trial.question else { return ["the request cannot be read"] }
    let ours = OurSide(trial.rules).answer(question, at: time)
    guard ours.verdict == verdict else {
      let words = ours.messages.joined(separator: " | ")
      return ["\(ours.verdict) \(words), the emulator \(verdict)"]
    }
    var problems: [String] = []
    if let message,
      !DenialMessage.isExplained(message, by: ours.messages, lines: ours.candidates)
    {
      problems.append("says \(ours.messages.joined(separator: " | ")), the emulator \(message)")
    }
    for expected in outcomes {
      let texts = (ours.outcomes[expected.span] ?? []).map(\.text)
      if texts.contains(expected.outcome) { continue }
      problems.append(
        "\(expected.span.first): \(texts.joined(separator: " | ")), the emulator \(expected.outcome)"
      )
    }
    return problems
  }
}

extension RegressionCase {
  /// Records a judged trial with the emulator's answer: the verdict, the conditions, and the expression that
  /// differs.
  init(_ judgement: Referee.Judgement, difference: AnswerDifference?, about: String? = nil) {
    trial = judgement.trial
    time = judgement.time
    verdict = judgement.theirs.verdict
    message = verdict == .deny ? judgement.theirs.messages.first : nil
    let spans = OurSide(trial.rules).conditions + [difference?.span].compactMap { $0 }
    outcomes = []
    for span in spans where !outcomes.contains(where: { $0.span == span }) {
      guard let last = judgement.theirs.outcomes[span]?.last else { continue }
      outcomes.append(Expected(span: span, outcome: last.text))
    }
    self.about = about ?? "\(difference?.kind.rawValue ?? "agreement")"
    if about == nil, let span = difference?.span {
      let characters = Array(trial.rules.unicodeScalars)[span.first...span.last]
      self.about += " of " + String(String.UnicodeScalarView(characters))
    }
  }

  // MARK: Files

  /// The case as JSON.
  var json: JSONText {
    var emulator: [(String, JSONText)] = [("verdict", .string("\(verdict)"))]
    if let message { emulator.append(("message", .string(message))) }
    if !outcomes.isEmpty {
      emulator.append(
        (
          "outcomes",
          .array(
            outcomes.map { expected in
              .object([
                ("first", .int(expected.span.first)), ("last", .int(expected.span.last)),
                ("is", .string(expected.outcome)),
              ])
            })
        ))
    }
    let lines = trial.rules.split(separator: "\n", omittingEmptySubsequences: false)
    return .object([
      ("about", .string(about)), ("rules", .array(lines.map { .string(String($0)) })),
      ("documents", .object(trial.documents.map { ($0.path, $0.data) })),
      ("request", trial.request), ("time", .string(time.description)),
      ("emulator", .object(emulator)),
    ])
  }

  /// Reads a case from JSON; nil if it is none.
  init?(_ json: JSON) {
    guard let trial = Trial(json), let emulator = json.member("emulator"),
      let word = emulator.member("verdict")?.plainText,
      let verdict = Answer.Verdict.allCases.first(where: { "\($0)" == word }),
      let time = Timestamp(rfc3339: Text(json.member("time")?.plainText ?? ""))
    else { return nil }
    about = json.member("about")?.plainText ?? ""
    self.trial = trial
    self.time = time
    self.verdict = verdict
    message = emulator.member("message")?.plainText
    outcomes = (emulator.member("outcomes")?.list ?? []).map { entry in
      Expected(
        span: ReportedSpan(
          first: entry.member("first")?.plainInt ?? 0, last: entry.member("last")?.plainInt ?? 0),
        outcome: entry.member("is")?.plainText ?? "")
    }
  }
}

extension Trial {
  /// Reads the trial of a case; nil if it has none.
  init?(_ json: JSON) {
    guard let lines = json.member("rules")?.list, let request = json.member("request") else {
      return nil
    }
    rules = lines.map { $0.plainText ?? "" }.joined(separator: "\n")
    documents = (json.member("documents")?.members ?? []).map {
      (String($0.key), JSONText($0.value))
    }
    self.request = JSONText(request)
  }
}
