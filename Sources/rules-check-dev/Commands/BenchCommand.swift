import RulesEval
import RulesHost
import RulesLang

/// `rules-check bench`: how long decisions take.
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
    options: [
      Option(name: "--runs", value: "COUNT", summary: "how many runs the median is of; 9"),
      Option(name: "--milliseconds", value: "COUNT", summary: "how long a run takes; 20"),
      Option(
        name: "--filter", value: "TEXT", summary: "only tests whose name contains the text"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
    ],
    formats: ["pretty", "json"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let effort = Measurement.Effort(
      runs: try count(in: invocation, option: "--runs", otherwise: 9),
      milliseconds: try count(in: invocation, option: "--milliseconds", otherwise: 20))
    var report = BenchReport(sections: [])
    do throws(Bench.Problem) {
      report.sections.append(try Bench.usersCollection(effort))
    } catch {
      throw UsageProblem(error.message)
    }
    var rules = RulesFiles(profile: invocation.profile)
    for path in invocation.operands {
      guard let section = try section(for: path, in: invocation, effort: effort, rules: &rules)
      else { return .unusable }
      report.sections.append(section)
    }
    try invocation.emit { $0 == "json" ? report.json : report.pretty }
    return .success
  }

  private static func count(
    in invocation: Invocation, option: String, otherwise fallback: Int
  ) throws(UsageProblem) -> Int {
    guard let text = invocation[option] else { return fallback }
    guard let count = Int(text), (1...10_000).contains(count) else {
      throw UsageProblem("`\(option)` is a number from 1 to 10000, not `\(text)`")
    }
    return count
  }

  /// Measures the tests of a suite; nil, with complaints, if it cannot be used.
  private static func section(
    for path: String, in invocation: Invocation, effort: Measurement.Effort,
    rules: inout RulesFiles
  ) throws(UsageProblem) -> BenchReport.Section? {
    let complaints = Complaints(invocation.terminal)
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
    var bench = Bench(checked, profile: invocation.profile, effort: effort)
    var rows: [BenchReport.Row] = []
    for test in suite.tests where invocation["--filter"].map(test.displayName.contains) ?? true {
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
