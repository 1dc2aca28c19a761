import RulesEval
import RulesHost
import RulesLang

/// Asks both sides and compares their answers.
final class Referee {
  /// A trial with both answers.
  struct Judgement {
    /// The trial.
    var trial: Trial
    /// Our answer.
    var ours: Answer
    /// The emulator's answer.
    var theirs: Answer
    /// The differences.
    var differences: [AnswerDifference]
    /// The time of the request.
    var time: Timestamp
  }

  private let emulator: EmulatorSide
  /// The number of trials without an answer, because the emulator itself fails on the rules.
  private(set) var failures = 0
  private var ourRules: (text: String, side: OurSide)?

  /// Creates a referee with a client that has an emulator's project of its own.
  init(_ client: EmulatorClient) { emulator = EmulatorSide(client) }

  /// Returns our side for rules; the last one is cached.
  func ours(_ rules: String) -> OurSide {
    if let known = ourRules, known.text == rules { return known.side }
    let side = OurSide(rules)
    ourRules = (rules, side)
    return side
  }

  /// Returns the answer of the emulator's compiler.
  func compile(_ rules: String) throws(EmulatorClient.Problem) -> EmulatorClient.Compilation {
    let result = try emulator.compile(rules)
    if result.hasFailed { failures += 1 }
    return result
  }

  /// Returns the result of a single trial; nil if the trial is malformed.
  func judge(_ trial: Trial) throws(EmulatorClient.Problem) -> Judgement? {
    emulator.forget()
    return try judge([trial]).first
  }

  /// Returns the results of trials on the same rules; malformed ones are left out.
  ///
  /// With `isApart` each trial evaluates different expressions, so one coverage report after all of them
  /// suffices.
  func judge(
    _ trials: [Trial], isApart: Bool = false
  ) throws(EmulatorClient.Problem) -> [Judgement] {
    var asked: [(trial: Trial, question: Trial.Question, theirs: Answer, time: Timestamp)] = []
    var judgements: [Judgement] = []
    for trial in trials {
      guard let question = trial.question else { continue }
      if !isApart { emulator.forget() }
      guard let theirs = try emulator.ask(trial, question: question) else {
        failures += 1
        continue
      }
      if isApart {
        asked.append((trial, question, theirs, Clock.now))
      } else {
        let coverage = theirs.verdict == .rejected ? nil : try emulator.coverage()
        let time = coverage?.lastTime ?? Clock.now
        let found = judgement(
          on: trial, question: question, theirs: theirs, coverage: coverage, at: time)
        if coverage?.lastTime == nil, !found.differences.isEmpty,
          dependsOnTime(trial, question: question, at: time)
        {
          failures += 1
        } else {
          judgements.append(found)
        }
      }
    }
    guard isApart, !asked.isEmpty else { return judgements }
    let coverage = try emulator.coverage()
    return asked.map {
      judgement(
        on: $0.trial, question: $0.question, theirs: $0.theirs, coverage: coverage, at: $0.time,
        isApart: true)
    }
  }

  /// True if our answer changes within a second. Unless a condition reads `request.time`, the emulator does
  /// not report the time of the request, so a server timestamp cannot be compared.
  private func dependsOnTime(
    _ trial: Trial, question: Trial.Question, at time: Timestamp
  ) -> Bool {
    guard let later = Timestamp(epochSeconds: time.epochSeconds + 1, nanos: Int64(time.nanos))
    else {
      return false
    }
    let side = ours(trial.rules)
    let answers = (side.answer(question, at: time), side.answer(question, at: later))
    return !AnswerComparison.differences(of: answers.0, from: answers.1).isEmpty
  }

  private func judgement(
    on trial: Trial, question: Trial.Question, theirs: Answer, coverage: Coverage?,
    at time: Timestamp, isApart: Bool = false
  ) -> Judgement {
    let side = ours(trial.rules)
    var theirs = theirs
    theirs.outcomes = coverage?.outcomes ?? [:]
    var ours = side.answer(question, at: time)
    var time = time
    if isApart, let exact = ours.lines.compactMap({ coverage?.times[$0] }).max() {
      time = exact
      ours = side.answer(question, at: exact)
    }
    return Judgement(
      trial: trial, ours: ours, theirs: theirs,
      differences: AnswerComparison.differences(of: ours, from: theirs), time: time)
  }
}
