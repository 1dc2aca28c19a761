import RulesEval
package import RulesLang
import RulesReport

/// The report of `test` as text: a line for each suite, and the reasons of each failure.
package struct TestText {
  /// The choice of what is shown.
  package struct Style: Sendable {
    /// The colours.
    package var palette: Palette
    /// True to show only what is wrong.
    package var isQuiet: Bool
    /// True to show every test, also those that passed.
    package var showsAll: Bool
    /// True to explain all statements tried, with the functions that they call.
    package var explainsAll: Bool
    /// True to show coverage even if it is sufficient.
    package var showsCoverage: Bool
    /// True to show costs even if they are below the threshold.
    package var showsCost = false

    /// Creates a style.
    package init(
      _ palette: Palette, isQuiet: Bool, showsAll: Bool, explainsAll: Bool,
      showsCoverage: Bool
    ) {
      self.palette = palette
      self.isQuiet = isQuiet
      self.showsAll = showsAll
      self.explainsAll = explainsAll
      self.showsCoverage = showsCoverage
    }
  }

  private let style: Style

  /// Creates a report in a style.
  package init(_ style: Style) { self.style = style }

  private var palette: Palette { style.palette }
  private var isQuiet: Bool { style.isQuiet }

  /// Returns the whole text.
  package func render(_ report: TestReport) -> String {
    var text = ""
    for suite in report.suites { text += render(suite) }
    text += measures(report)
    if !isQuiet || report.conclusion != .success { text += summary(report) }
    return text
  }

  /// Returns coverage and cost, if they were measured, and the project's notices.
  func measures(_ report: TestReport) -> String {
    var text = ""
    if let coverage = report.coverage { text += render(coverage) }
    if let cost = report.cost { text += render(cost) }
    return text + report.notices.text(palette, isQuiet: isQuiet)
  }

  private func render(_ suite: TestReport.Suite) -> String {
    let failed = suite.results.filter { !$0.isPassed }
    let claims = suite.claims.filter { !$0.isPassed }
    var text = ""
    if !isQuiet || !failed.isEmpty || !claims.isEmpty {
      let isGood = failed.isEmpty && claims.isEmpty
      let mark = isGood ? palette.paint("ok  ", as: .good) : palette.paint("FAIL", as: .error)
      let name = Printable.text(suite.source.name) + suite.rules.database.suffix
      text += "\(mark)  \(name)  \(counts(suite))\n"
    }
    text += warnings(suite)
    let noted = isQuiet ? [] : suite.claims.filter { $0.isNoteworthy }
    // A test that passes by chance is not passed over in silence.
    let shown =
      style.showsAll
      ? suite.results : suite.results.filter { !$0.isPassed || !isQuiet && $0.isByChance }
    for result in shown { text += render(result, in: suite) }
    for claim in claims + noted { text += render(claim, in: suite) }
    let hasMore = !shown.isEmpty || !claims.isEmpty || !noted.isEmpty
    if hasMore || !isQuiet && !suite.warnings.isEmpty { text += "\n" }
    return text + (suite.replay.map { render($0) } ?? "")
  }

  /// Returns the warnings about a suite's data, also about tests that passed.
  private func warnings(_ suite: TestReport.Suite) -> String {
    if isQuiet { return "" }
    let renderer = TextRenderer(palette)
    return suite.warnings.reduce("") { $0 + "\n" + renderer.render($1, in: suite.source) }
  }

  private func counts(_ suite: TestReport.Suite) -> String {
    var parts: [String] = []
    let failed = suite.failedCount
    if failed > 0 {
      parts.append("\(failed) of \(suite.testCount) tests failed")
    } else if suite.testCount > 0 || suite.claims.isEmpty {
      parts.append(suite.testCount.of("test"))
    }
    let claims = suite.claims.filter { !$0.isPassed }.count
    if claims > 0 {
      parts.append("\(claims) of \(suite.claims.count) claims do not hold")
    } else if !suite.claims.isEmpty {
      parts.append(suite.claims.count.of("claim"))
    }
    return parts.joined(separator: ", ")
  }

  private func render(_ replay: EmulatorComparison) -> String {
    var text = ""
    if !isQuiet || !replay.disagreements.isEmpty {
      let agreeing = replay.compared - replay.disagreements.count
      text += "      emulator: \(agreeing) of \(replay.compared) requests agree\n"
    }
    for one in replay.disagreements {
      text += "\n  " + palette.paint("DISAGREE", as: .error) + " \(Printable.text(one.name))\n"
      text += "  rules-check: \(Printable.text(one.ours))\n"
      text += "  emulator:    \(Printable.text(one.emulator))\n"
    }
    for skipped in replay.skipped { text += "  not compared: \(Printable.text(skipped))\n" }
    return text
  }

  private func render(_ result: TestResult, in suite: TestReport.Suite) -> String {
    let mark = result.isPassed ? palette.paint("ok", as: .good) : palette.paint("FAIL", as: .error)
    let name = palette.paint(Printable.text(result.test.displayName), as: .strong)
    var text = "\n  \(mark) \(name)\n"
    text += place(of: result.place, in: suite)
    for failure in result.failures { text += "  \(Printable.text(failure))\n" }
    text += steps(result, in: suite)
    return text + picture(of: result, in: suite)
  }

  /// Returns a request that is not a test of a file, with its explanation.
  func explanation(of result: TestResult, in suite: TestReport.Suite) -> String {
    let name = palette.paint(Printable.text(result.test.displayName), as: .strong)
    return "\n  \(name)\n" + picture(of: result, in: suite)
  }

  private func picture(of result: TestResult, in suite: TestReport.Suite) -> String {
    guard let decision = result.decision else { return "" }
    let decided = DecisionText(
      suite.rules, in: palette, showing: style.explainsAll ? .everything : .deciding)
    return "\n  \(decided.verdict(decision))  \(Printable.text(result.request))\n"
      + decided.why(decision, indent: "  ") + decided.render(decision, indent: "  ")
  }

  /// Returns the decision on each step, a line each, with notes about those that are not shown below.
  private func steps(_ result: TestResult, in suite: TestReport.Suite) -> String {
    let decided = DecisionText(suite.rules, in: palette)
    return result.steps.enumerated().reduce(result.steps.isEmpty ? "" : "\n") { text, step in
      let verdict = step.element.decision.map { decided.verdict($0) } ?? "?"
      let mark = step.element.isPassed ? "" : palette.paint(" FAIL", as: .error)
      let request = Printable.text(step.element.request)
      let notes = step.offset == result.tellingPlace ? [] : step.element.decision?.notes ?? []
      return text + "  step \(step.offset + 1): \(verdict)  \(request)\(mark)\n"
        + notes.map { "    note: \(Printable.text($0))\n" }.joined()
    }
  }

  private func render(_ result: ClaimResult, in suite: TestReport.Suite) -> String {
    let text = ProofText(palette, isQuiet: isQuiet).render(result, in: suite.source)
    let lines = text.split(separator: "\n").map { "  \($0)\n" }
    return "\n" + lines.joined()
  }

  private func place(of range: SourceRange, in suite: TestReport.Suite) -> String {
    let place = suite.source.position(of: range.start)
    return "  --> \(Printable.text(suite.source.name)):\(place.line):\(place.column)\n"
  }

  private func render(_ coverage: CoverageReport) -> String {
    var text = ""
    // With only a threshold, nothing is printed while it is met.
    if (style.showsCoverage && !isQuiet) || coverage.isTooLow {
      text += CoverageText(coverage, in: palette).text
    }
    for complaint in coverage.complaints {
      text += palette.paint("FAIL", as: .error) + "  \(Printable.text(complaint))\n"
    }
    return text
  }

  private func render(_ cost: CostReport) -> String {
    let complaints = cost.complaints.map {
      palette.paint("FAIL", as: .error) + "  \(Printable.text($0))\n"
    }
    let text = isQuiet || !style.showsCost ? "" : CostText(cost, in: palette).text
    return text + complaints.joined()
  }

  private func summary(_ report: TestReport) -> String {
    let microseconds = report.nanoseconds / 1000
    let time = "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
    return "\(Self.figures(of: report, in: palette)) (\(time))\n"
  }

  /// Returns the numbers of tests and claims by outcome: `12 tests, 12 passed; 9 claims, 9 proved`.
  package static func figures(of report: TestReport, in palette: Palette = .plain) -> String {
    let count = report.testCount
    let failed = report.failedCount
    let verdict =
      failed == 0
      ? palette.paint("\(count) passed", as: .good)
      : "\(count - failed) passed, " + palette.paint("\(failed) failed", as: .error)
    var parts: [String] = []
    if count > 0 || report.claims.isEmpty {
      parts.append("\(count.of("test")), \(verdict)")
    }
    if !report.claims.isEmpty { parts.append(words(report.claims)) }
    let notices = report.notices.count { $0.severity >= .warning }
    let warnings = report.suites.reduce(notices) { $0 + $1.warnings.count }
    if warnings > 0 { parts.append(warnings.of("warning")) }
    // A run without tests is an error that concerns no file.
    let files = Set(report.refusals.map { $0.file }).subtracting([""]).count
    if files > 0 {
      parts.append(palette.paint("\(files.of("file")) could not be used", as: .error))
    }
    return parts.joined(separator: "; ")
  }

  private static func words(_ claims: [ClaimResult]) -> String {
    "\(claims.count.of("claim")), \(claims.verdictWords(naming: []))"
  }
}
