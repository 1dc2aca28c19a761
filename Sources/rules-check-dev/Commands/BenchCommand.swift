import RulesEval
import RulesHost
import RulesLang

/// `rules-check bench`: measures how long decisions take.
enum BenchCommand {
  static let command = Command(
    name: "bench", operands: "[SUITE…]", operandCount: 0...Int.max,
    summary: "how long decisions take",
    details: """
      Measures the tests of suites, and always the users collection: an update of eight strings that
      the rule allows or denies, beside the same rule written by hand. Five columns: a decision on a
      request in memory, the hand-written floor, with loading from parsed values, from the request
      to the whole decision, and the same by the reference evaluator. Times are of the processor, in
      nanoseconds, the median of the runs.
      """,
    run: BenchCommand.run)

  private static func run(_ options: BenchOptions) throws(UsageProblem) -> ExitStatus {
    var report = BenchReport(sections: [])
    do throws(Bench.Problem) {
      report.sections.append(try Bench.usersCollection(options.effort))
    } catch {
      throw UsageProblem(error.message)
    }
    var rules = RulesFiles(profile: options.profile)
    for path in options.paths {
      guard let section = try section(for: path, with: options, rules: &rules) else {
        return .unusable
      }
      report.sections.append(section)
    }
    try options.reporting.emit { $0 == .json ? report.json : report.pretty }
    return .success
  }

  /// Measures the tests of a suite; nil, with the errors printed, if it cannot be used.
  private static func section(
    for path: String, with options: BenchOptions, rules: inout RulesFiles
  ) throws(UsageProblem) -> BenchReport.Section? {
    let complaints = Complaints(options.reporting.terminal)
    let suite: Suite
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      let source = SourceText(name: path, bytes: try FileSystem.read(path))
      let (read, diagnostics) = SuiteReader.read(source)
      guard let read else {
        complaints.print(diagnostics, in: source)
        return nil
      }
      suite = read
      guard let name = suite.rulesPath else {
        throw FileProblem(path: path, reason: "names no rules")
      }
      outcome = try rules.load(FilePath.join(FilePath.folder(of: path), with: String(name)))
    } catch {
      throw UsageProblem(error)
    }
    guard let checked = outcome.checked else {
      complaints.print(outcome.diagnostics, in: outcome.ruleset.source)
      return nil
    }
    var bench = Bench(checked, profile: options.profile, effort: options.effort)
    var rows: [BenchReport.Row] = []
    for test in suite.tests where options.filter.map(test.displayName.contains) ?? true {
      guard case .operation(let operation) = test.subject, test.unsupported == nil else { continue }
      var documents = suite.documents
      for (path, data) in test.documents { documents[path] = data }
      let request = Request(
        principal: test.principal, time: test.time ?? Clock.now, operation: operation)
      do throws(Bench.Problem) {
        rows.append(
          try bench.row(
            named: test.displayName, asking: [(request, documents)],
            isAllowed: test.expectation == .allow))
      } catch {
        throw UsageProblem(error.message)
      }
    }
    return BenchReport.Section(name: path, rows: rows)
  }
}
