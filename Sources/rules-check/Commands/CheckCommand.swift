import RulesHost
import RulesProofReport
import RulesReport
import RulesService

/// `rules-check check`: compile errors, warnings and lint.
enum CheckCommand {
  static let command = Command(
    name: "check", operands: "[RULES…]", operandCount: 0...Int.max,
    summary: "compile errors, warnings, lint",
    details: """
      Checks rules files. In a folder it searches for *.rules; from firebase.json it takes the rules
      that are deployed. Without a file it checks those of the nearest .rulescheck.json, else of the
      nearest firebase.json, else the nearest firestore.rules, in this folder or above.

      Reports the errors of Google's compiler, then likely mistakes in rules that do compile.
      `rules-check help CODE` explains a finding. This comment on the line before silences it:
        // rules-check: ignore CODE REASON
      The report counts silenced findings; --no-ignore shows them.

      --deep also proves which code has no effect: statements that can never grant or that others
      cover, and parts of conditions that never matter. It also looks for conditions on stored data
      that clients can make true themselves. --fix removes what it proves redundant at the level of a
      warning. Before that, it proves that the whole change affects no decision; the rest of the file
      stays as it is. `audit` finds conditions that any new account satisfies.

      Exits 1 if a finding has at least the level of --fail-on, 2 if a file does not compile, 4 if
      --deep left a question open.
      """,
    run: CheckCommand.run)

  private static func run(_ options: CheckOptions) throws(UsageProblem) -> ExitStatus {
    let check = Check(options)
    var cache = AnalysisCache(options.analysis)
    guard options.isWatching else {
      var report = try check.report(keeping: &cache)
      check.write(&report)
      try check.print(report)
      return check.status(of: report)
    }
    var lastGood: [String: String] = [:]
    try Watch.run(watching: options.operands) { () throws(UsageProblem) in
      let report = try check.report(keeping: &cache)
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
