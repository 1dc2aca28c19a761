import RulesEval
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

  /// The whole text.
  var text: String {
    var text = ""
    for suite in report.suites { text += render(suite) }
    if !invocation.isQuiet || report.failedCount + report.disagreementCount > 0 { text += summary }
    return text
  }

  private func render(_ suite: TestReport.Suite) -> String {
    let failed = suite.results.filter { !$0.isPassed }
    var text = ""
    if !invocation.isQuiet || !failed.isEmpty {
      let mark = failed.isEmpty ? terminal.paint("ok  ", .good) : terminal.paint("FAIL", .error)
      let counts =
        failed.isEmpty
        ? "\(suite.results.count) tests" : "\(failed.count) of \(suite.results.count) tests failed"
      text += "\(mark)  \(Printable.text(suite.source.name))  \(counts)\n"
    }
    let shown = invocation["--trace"] == "all" ? suite.results : failed
    for result in shown { text += render(result, suite) }
    return text + (suite.replay.map { render($0) } ?? "")
  }

  private func render(_ replay: EmulatorReplay.Result) -> String {
    var text = ""
    if !invocation.isQuiet || !replay.disagreements.isEmpty {
      let agreeing = replay.compared - replay.disagreements.count
      text += "      emulator: \(agreeing) of \(replay.compared) requests agree\n"
    }
    for one in replay.disagreements {
      text += "\n  " + terminal.paint("DISAGREE", .error) + " \(Printable.text(one.name))\n"
      text += "  rules-check: \(Printable.text(one.ours))\n"
      text += "  emulator:    \(Printable.text(one.emulator))\n"
    }
    for skipped in replay.skipped { text += "  not compared: \(Printable.text(skipped))\n" }
    return text
  }

  private func render(_ result: TestResult, _ suite: TestReport.Suite) -> String {
    let test = result.test
    let place = suite.source.position(of: test.range.start)
    let mark = result.isPassed ? terminal.paint("ok", .good) : terminal.paint("FAIL", .error)
    var text = "\n  \(mark) \(terminal.paint(Printable.text(test.displayName), .strong))\n"
    let name = Printable.text(suite.source.name)
    text += "  --> \(name):\(place.line):\(place.column)\n"
    for failure in result.failures { text += "  \(Printable.text(failure))\n" }
    guard let decision = result.decision else { return text + "\n" }
    let decided = DecisionText(
      suite.engine.rules, terminal, invocation.has("--explain") ? .everything : .deciding)
    let who = Printable.text(test.principalName ?? "nobody (signed out)")
    text += "\n  \(decided.verdict(decision))  \(decision.verb(test)) "
    text += "\(Printable.text(test.path)) as \(who)\n"
    text += decided.why(decision, indent: "  ")
    return text + decided.render(decision, indent: "  ")
  }

  private var summary: String {
    let count = report.testCount
    let failed = report.failedCount
    let verdict =
      failed == 0
      ? terminal.paint("\(count) passed", .good)
      : "\(count - failed) passed, " + terminal.paint("\(failed) failed", .error)
    let microseconds = report.nanoseconds / 1000
    let time = "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
    return "\(count) tests, \(verdict) (\(time))\n"
  }
}

extension Decision {
  /// The method that the rules were asked for; for several documents, what the test says.
  func verb(_ test: Test) -> String {
    if test.verb == "batch" { return test.verb }
    return accesses.first?.access.method.word ?? test.verb
  }
}
