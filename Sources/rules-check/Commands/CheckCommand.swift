import RulesHost
import RulesLang
import RulesProof
import RulesReport
import RulesSolver

/// `rules-check check`: compile errors, warnings and lint.
enum CheckCommand {
  static let command = Command(
    name: "check", operands: "[RULES…]", operandCount: 0...Int.max,
    summary: "compile errors, warnings, lint",
    details: """
      Checks rules files; a folder is searched for *.rules, and firebase.json names the rules that
      it deploys. Without a file: those of the nearest .rulescheck.json or firebase.json.

      Says what Google's compiler would say, in its words, and then what compiles and is probably
      not meant. `rules-check help CODE` explains a finding. This comment on the line before
      silences it:
        // rules-check: ignore CODE REASON

      --deep also proves what decides nothing: statements that can never grant or that others cover,
      parts of conditions that never matter. --fix takes out what it proves redundant at the level of a
      warning, once the whole change is proved to change no decision, and leaves the rest of the
      file as it is.

      Exits 1 if there is a finding as bad as --fail-on says, 2 if a file does not compile, 4 if
      --deep left a question open.
      """,
    options: [
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose limits to apply: emulator, testapi or strict"),
      Option(
        name: "--level", value: "CODE=LEVEL", isRepeatable: true,
        summary: "how loud a code is: off, info, warning or error"),
      Option(
        name: "--fail-on", value: "LEVEL", choices: FailureLevel.allCases.map(\.rawValue),
        summary: "what makes the exit code 1: error (the default), warning, info or none"),
      Option(name: "--deep", value: nil, summary: "also prove what decides nothing"),
      Option(
        name: "--fix", value: nil,
        summary: "take out what is proved to decide nothing (implies --deep)"),
      Option(
        name: "--timeout", value: "SECONDS",
        summary: "the time for the proofs about one file (120 s by default)"),
      QuestionLimits.stepsOption(inAll: Budget.questionsInAll),
      Option(
        name: "--watch", short: "-w", value: nil, summary: "run again whenever a file changes"),
    ],
    formats: ["pretty", "json", "github", "sarif"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let check = try Check(invocation)
    guard invocation.has("--watch") else {
      let report = try check.report(on: try check.files())
      try check.write(report)
      try check.print(report)
      return check.status(of: report)
    }
    if invocation.has("--fix") {
      throw UsageProblem("`--fix` and `--watch` do not go together")
    }
    var lastGood: [String: String] = [:]
    try Watch.run(watching: invocation.operands) { () throws(UsageProblem) in
      let report = try check.report(on: try check.files())
      try check.print(report)
      for file in report.files {
        if file.compiles {
          lastGood[file.path] = CheckReport(files: [file]).summary
        } else if let summary = lastGood[file.path] {
          Watch.say("\(file.path) does not compile; the last version that did had: \(summary)")
        }
      }
      return report.files.map(\.path)
    }
  }
}
