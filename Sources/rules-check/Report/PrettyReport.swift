import RulesEval
import RulesHost
import RulesLang

/// The report for people: a line for each suite, and for each failure why.
struct PrettyReport {
  private let report: TestReport
  private let invocation: Invocation
  private let terminal: Terminal

  init(_ report: TestReport, _ invocation: Invocation) {
    self.report = report
    self.invocation = invocation
    terminal = invocation.terminal
  }

  private var isQuiet: Bool { invocation.isQuiet }

  /// The whole text.
  var text: String {
    var text = ""
    for suite in report.suites { text += render(suite) }
    if let coverage = report.coverage { text += render(coverage) }
    if !isQuiet || report.status != .success { text += summary }
    return text
  }

  private func render(_ suite: TestReport.Suite) -> String {
    let failed = suite.results.filter { !$0.isPassed }
    let claims = suite.claims.filter { !$0.isPassed }
    var text = ""
    if !isQuiet || !failed.isEmpty || !claims.isEmpty {
      let isGood = failed.isEmpty && claims.isEmpty
      let mark = isGood ? terminal.paint("ok  ", as: .good) : terminal.paint("FAIL", as: .error)
      text += "\(mark)  \(Printable.text(suite.source.name))  \(counts(suite))\n"
    }
    text += warnings(suite)
    let noted = isQuiet ? [] : suite.claims.filter { $0.isNoteworthy }
    // A test that passes by chance is not passed over in silence.
    let shown =
      invocation["--trace"] == "all"
      ? suite.results : suite.results.filter { !$0.isPassed || !isQuiet && $0.isByChance }
    for result in shown { text += render(result, suite) }
    for claim in claims + noted { text += render(claim, suite) }
    let hasMore = !shown.isEmpty || !claims.isEmpty || !noted.isEmpty
    if hasMore || !isQuiet && !suite.warnings.isEmpty { text += "\n" }
    return text + (suite.replay.map { render($0) } ?? "")
  }

  /// What is to be known of the data, also of tests that passed.
  private func warnings(_ suite: TestReport.Suite) -> String {
    if isQuiet { return "" }
    let renderer = TextRenderer { terminal.paint($0, as: $1) }
    return suite.warnings.reduce("") { $0 + "\n" + renderer.render($1, in: suite.source) }
  }

  private func counts(_ suite: TestReport.Suite) -> String {
    var parts: [String] = []
    let failed = suite.failedCount
    if failed > 0 {
      parts.append("\(failed) of \(suite.testCount) tests failed")
    } else if suite.testCount > 0 || suite.claims.isEmpty {
      parts.append("\(suite.testCount) test\(suite.testCount == 1 ? "" : "s")")
    }
    let claims = suite.claims.filter { !$0.isPassed }.count
    if claims > 0 {
      parts.append("\(claims) of \(suite.claims.count) claims do not hold")
    } else if !suite.claims.isEmpty {
      parts.append("\(suite.claims.count) claim\(suite.claims.count == 1 ? "" : "s")")
    }
    return parts.joined(separator: ", ")
  }

  private func render(_ replay: EmulatorReplay.Result) -> String {
    var text = ""
    if !isQuiet || !replay.disagreements.isEmpty {
      let agreeing = replay.compared - replay.disagreements.count
      text += "      emulator: \(agreeing) of \(replay.compared) requests agree\n"
    }
    for one in replay.disagreements {
      text += "\n  " + terminal.paint("DISAGREE", as: .error) + " \(Printable.text(one.name))\n"
      text += "  rules-check: \(Printable.text(one.ours))\n"
      text += "  emulator:    \(Printable.text(one.emulator))\n"
    }
    for skipped in replay.skipped { text += "  not compared: \(Printable.text(skipped))\n" }
    return text
  }

  private func render(_ result: TestResult, _ suite: TestReport.Suite) -> String {
    let mark =
      result.isPassed ? terminal.paint("ok", as: .good) : terminal.paint("FAIL", as: .error)
    var text =
      "\n  \(mark) \(terminal.paint(Printable.text(result.test.displayName), as: .strong))\n"
    text += place(result.test.range, suite)
    for failure in result.failures { text += "  \(Printable.text(failure))\n" }
    guard let decision = result.decision else { return text }
    let decided = DecisionText(
      suite.engine.rules, terminal, invocation.has("--explain") ? .everything : .deciding)
    text += "\n  \(decided.verdict(decision))  \(Printable.text(result.request))\n"
    text += decided.why(decision, indent: "  ")
    return text + decided.render(decision, indent: "  ")
  }

  private func render(_ result: ClaimResult, _ suite: TestReport.Suite) -> String {
    let text = ProofText(invocation).render(result, suite.source)
    let lines = text.split(separator: "\n").map { "  \($0)\n" }
    return "\n" + lines.joined()
  }

  private func place(_ range: SourceRange, _ suite: TestReport.Suite) -> String {
    let place = suite.source.position(of: range.start)
    return "  --> \(Printable.text(suite.source.name)):\(place.line):\(place.column)\n"
  }

  private func render(_ coverage: CoverageReport) -> String {
    var text = ""
    // A threshold alone is quiet while it holds.
    if (invocation.has("--coverage") && !isQuiet) || coverage.isTooLow {
      text += CoverageText(coverage, terminal).text
    }
    if let complaint = coverage.complaint {
      text += terminal.paint("FAIL", as: .error) + "  \(complaint)\n"
    }
    return text
  }

  private var summary: String {
    let count = report.testCount
    let failed = report.failedCount
    let verdict =
      failed == 0
      ? terminal.paint("\(count) passed", as: .good)
      : "\(count - failed) passed, " + terminal.paint("\(failed) failed", as: .error)
    var parts: [String] = []
    if count > 0 || report.claims.isEmpty {
      parts.append("\(count) test\(count == 1 ? "" : "s"), \(verdict)")
    }
    if !report.claims.isEmpty { parts.append(claims) }
    let warnings = report.suites.reduce(0) { $0 + $1.warnings.count }
    if warnings > 0 { parts.append("\(warnings) warning\(warnings == 1 ? "" : "s")") }
    let microseconds = report.nanoseconds / 1000
    let time = "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
    return "\(parts.joined(separator: "; ")) (\(time))\n"
  }

  private var claims: String {
    let claims = report.claims
    var parts = ["\(claims.count) claim\(claims.count == 1 ? "" : "s")"]
    for verdict in ["proved", "violated", "undecided", "vacuous"] {
      let count = claims.filter { $0.word == verdict }.count
      if count > 0 { parts.append("\(count) \(verdict)") }
    }
    return parts.joined(separator: ", ")
  }
}
