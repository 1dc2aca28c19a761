import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesSolver

/// `rules-check init`: a first suite for a rules file.
enum InitCommand {
  /// The command.
  static let command = Command(
    name: "init", operands: "RULES", operandCount: 1...1,
    summary: "write a first suite for a rules file",
    details: """
      Writes RULES.suite.json beside the rules, or the file of --output (- for standard output):
      for each statement one request that it grants and one like it that is denied. All of them
      pass as the rules are now. Read them, and change what should be different.

      --full writes as few tests as it can that reach every outcome of every statement and that
      notice every change which `mutate` makes and which changes a decision at all.
      """,
    options: [
      Option(
        name: "--full", value: nil, summary: "reach every outcome, notice every change"),
      Option(name: "--force", value: nil, summary: "replace a suite that is there already"),
      Option(
        name: "--timeout", value: "SECONDS",
        summary: "the time to look for one request (20 s by default)"),
      QuestionLimits.totalOption("the time to look for all requests (300 s by default)"),
      QuestionLimits.stepsOption(inAll: Budget.questionsOfMany),
      Option(
        name: "--time", value: "TIME",
        summary: "the time of the requests, in RFC 3339; today by default"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
    ],
    formats: ["pretty"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let path = invocation.operands[0]
    let output = invocation["--output"] ?? suitePath(for: path)
    let limits = try QuestionLimits(
      invocation, seconds: 20, total: 300, questions: Budget.questionsOfMany)
    let now = try time(invocation)
    if FileSystem.kind(of: output) != .missing, output != "-", !invocation.has("--force") {
      throw UsageProblem(
        "\(output) exists already", help: "--force replaces it, --output FILE writes another")
    }
    var files = RulesFiles(profile: invocation.profile)
    do throws(FileProblem) {
      let outcome = try files.load(path)
      guard let checked = outcome.checked else {
        Complaints(invocation.terminal).print(outcome.diagnostics, in: outcome.ruleset.source)
        return .unusable
      }
      let draft = Self.draft(checked, invocation, now, limits)
      let text = FirstSuiteText(
        draft.entries, remarks: draft.remarks, time: now,
        rules: FilePath.relative(path, to: FilePath.folder(of: output))
      ).text
      if output == "-" {
        Terminal.print(text)
        return draft.status
      }
      try FileSystem.write(Array(text.utf8), to: output)
      if !invocation.isQuiet {
        Terminal.print(
          "wrote \(output): \(draft.summary)\nrun them: rules-check test \(output)\n")
      }
      return draft.status
    } catch {
      throw UsageProblem(error)
    }
  }

  /// A suite that is yet to be written.
  private struct Draft {
    var entries: [FirstSuite.Entry]
    var remarks: [String]
    var summary: String
    /// Undecided if a suite that is to reach everything may lack something.
    var status = ExitStatus.success
  }

  private static func draft(
    _ rules: Checked, _ invocation: Invocation, _ now: Timestamp, _ limits: QuestionLimits
  ) -> Draft {
    guard invocation.has("--full") else {
      let suite = FirstSuite(rules, profile: invocation.profile, now: now, limits: limits)
      let remarks = [
        "A first suite, written by `rules-check init`: every test says what the rules do now.",
        "Read it as a list of questions: is this what they should do? If not, change `expect`.",
      ]
      return Draft(
        entries: suite.entries, remarks: remarks,
        summary: "\(suite.testCount) tests for \(suite.entries.count) statements")
    }
    let suite = FullSuite(rules, profile: invocation.profile, now: now, limits: limits)
    let remarks = [
      "A suite that pins the rules down, written by `rules-check init --full`: every test says what",
      "they do now. Is this what they should do? If not, change `expect`, and then the rules.",
      "outcomes of statements: " + suite.outcomes.words("reached"),
      "changes of the rules: " + suite.changes.words("noticed"),
    ]
    return Draft(
      entries: suite.entries, remarks: remarks,
      summary: "\(suite.testCount) tests\n" + remarks[2...].joined(separator: "\n"),
      status: suite.outcomes.open + suite.changes.open == 0 ? .success : .undecided)
  }

  /// The time that was asked for, else the present one without fractions of a second.
  private static func time(_ invocation: Invocation) throws(UsageProblem) -> Timestamp {
    guard let text = invocation["--time"] else {
      let now = Clock.now
      return Timestamp(epochSeconds: now.epochSeconds, nanos: 0) ?? now
    }
    guard let time = Timestamp(rfc3339: Text(text)) else {
      throw UsageProblem("`--time` needs a time like 2025-10-21T09:00:00Z, not `\(text)`")
    }
    return time
  }

  /// `firestore.suite.json` for `firestore.rules`.
  private static func suitePath(for rules: String) -> String {
    (rules.hasSuffix(".rules") ? String(rules.dropLast(6)) : rules) + ".suite.json"
  }
}

extension FullSuite.Count {
  /// The counts in words.
  fileprivate func words(_ reached: String) -> String {
    "\(self.reached) \(reached), \(impossible) proved impossible, \(open) open"
  }
}
