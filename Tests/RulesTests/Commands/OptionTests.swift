import RulesEval
import RulesLang
import RulesProofReport
import RulesReport
import RulesSolver
import RulesStyle
import Testing

@testable import RulesHost
@testable import RulesTesting
@testable import rules_check
@testable import rules_check_dev

/// Command lines as options with types.
@Suite struct OptionTests {
  private func options<Options: CommandOptions>(
    _ command: Command, _ arguments: [String], as type: Options.Type = Options.self
  ) throws -> Options {
    try Options(Invocation(command, arguments: arguments, of: "rules-check"))
  }

  /// What is said of a command line that cannot be used; nil if it can be.
  private func problem<Options: CommandOptions>(
    _ command: Command, _ arguments: [String], as type: Options.Type
  ) -> UsageProblem? {
    do {
      _ = try options(command, arguments, as: type)
      return nil
    } catch {
      return error as? UsageProblem
    }
  }

  @Test func whatIsNotGivenIsTheDefault() throws {
    let audit: AuditOptions = try options(AuditCommand.command, ["a.rules"])
    #expect(audit.operands == ["a.rules"] && audit.date == nil && audit.profile == .emulator)
    #expect(audit.limits.seconds == 20 && audit.limits.totalSeconds == 300)
    #expect(audit.limits.steps == Budget.questionSteps)
    #expect(audit.limits.questions == Budget.questionsInAll)
    #expect(audit.reporting.destinations.map(\.format) == [.pretty])
    #expect(audit.reporting.destinations[0].file == nil && !audit.reporting.isQuiet)
    let prove: ProveOptions = try options(ProveCommand.command, ["a.rules"])
    #expect(prove.suites.limits.seconds == 10 && prove.suites.limits.totalSeconds == nil)
    #expect(prove.statement.expectation == nil && !prove.statement.isNever && !prove.allowsEmpty)
    let eval: EvalOptions = try options(EvalCommand.command, ["-1"])
    #expect(eval.expression == "-1" && eval.reporting.destinations.map(\.format) == [.json])
  }

  @Test func whatIsGivenHasItsType() throws {
    let audit: AuditOptions = try options(
      AuditCommand.command,
      [
        "--timeout=1.5", "--total", "7", "--steps", "12", "a.rules", "--profile", "strict", "-q",
        "--format", "html", "-o", "a.html", "--format", "json",
      ])
    #expect(audit.limits.seconds == 1.5 && audit.limits.totalSeconds == 7)
    #expect(audit.limits.steps == 12 && audit.profile == .strict && audit.reporting.isQuiet)
    #expect(audit.reporting.destinations.map(\.format) == [.html, .json])
    #expect(audit.reporting.destinations.map(\.file) == ["a.html", nil])
    let test: TestOptions = try options(
      TestCommand.command,
      ["a", "b", "-j", "3", "--trace=all", "--min-coverage", "50", "--format", "rule-coverage"])
    #expect(test.paths == ["a", "b"] && test.suites.jobs == 3 && test.suites.traced == .all)
    #expect(test.suites.coverage?.required == 50 && !test.suites.needsResults)
    let first: InitOptions = try options(
      InitCommand.command, ["a.rules", "--time", "2025-10-21T09:00:00Z", "-o", "y"])
    #expect(first.time?.epochSeconds == 1_761_037_200 && first.output == "y")
    let prove: ProveOptions = try options(
      ProveCommand.command, ["a.rules", "--path", "/a/{b}", "--expect", "vacuous", "--never"])
    #expect(prove.statement.expectation == .vacuous && prove.statement.isNever)
  }

  @Test func aFileBeforeAnyFormatIsOfTheDefaultFormat() throws {
    let audit: AuditOptions = try options(AuditCommand.command, ["a.rules", "-o", "a.txt"])
    #expect(audit.reporting.destinations.map(\.format) == [.pretty])
    #expect(audit.reporting.destinations.map(\.file) == ["a.txt"])
  }

  @Test func aFileBeforeTheOnlyFormatBelongsToIt() throws {
    let audit: AuditOptions = try options(
      AuditCommand.command, ["a.rules", "-o", "a.html", "--format", "html"])
    #expect(audit.reporting.destinations.map(\.format) == [.html])
    #expect(audit.reporting.destinations.map(\.file) == ["a.html"])
  }

  @Test(arguments: [
    (["--timeout", "0"], "`--timeout` needs a number of seconds, not `0`"),
    (["--timeout", "soon"], "`--timeout` needs a number of seconds, not `soon`"),
    (["--steps", "0"], "`--steps` needs a number of steps, not `0`"),
    (["--steps", "1099511627776"], "`--steps` needs a number of steps, not `1099511627776`"),
    (["--jobs", "1025"], "`--jobs` needs a number of threads, not `1025`"),
    (["-j", "two"], "`--jobs` needs a number of threads, not `two`"),
    (["--min-coverage", "100.5"], "`--min-coverage 100.5` is not a percentage"),
    (["--emulator", "localhost"], "`--emulator localhost` is not HOST:PORT"),
    (["--trace", "fail"], "`--trace` cannot be `fail`"),
    (["--filter"], "`--filter` needs a value: --filter TEXT"),
    (["--watch=yes"], "`--watch` takes no value"),
    (["--profle", "x"], "`test` has no option `--profle`"),
  ])
  func aWrongValueIsRefused(_ arguments: [String], _ message: String) {
    #expect(problem(TestCommand.command, arguments, as: TestOptions.self)?.message == message)
  }

  @Test func anOptionIsGivenOnceUnlessItMayBeRepeated() throws {
    for twice in [["--date", "a", "--date", "b"], ["-q", "--quiet"]] {
      let problem = problem(AuditCommand.command, ["a.rules"] + twice, as: AuditOptions.self)
      #expect(problem?.message.hasSuffix("is given twice") == true)
    }
    let request: SimulateOptions = try options(
      SimulateCommand.command,
      ["a.rules", "get", "/a/b", "--claim", "a=1", "--claim", "b=2", "--limit", "-3"])
    #expect(request.claims == ["a=1", "b=2"] && request.limit == -3)
    let check: CheckOptions = try options(
      CheckCommand.command, ["a.rules", "--level", "open-write=off", "--level", "open-write=info"])
    let level = check.levels.first { $0.key.name == "open-write" }?.value
    #expect(level == LintLevel.named("info"))
  }

  @Test func optionsReadOnlyWhatTheirTableHas() throws {
    // What the table lacks ends the process.
    let _: VerifyProofOptions = try options(VerifyProofCommand.command, ["a"])
    let _: DiffOptions = try options(DiffCommand.command, ["a", "b"])
    let _: MutateOptions = try options(MutateCommand.command, ["a"])
    let _: ReplayOptions = try options(ReplayCommand.command, ["a", "b"])
    let _: BenchOptions = try options(BenchCommand.command, [])
    let random: DifferentialOptions = try options(DifferentialCommand.command, ["--queries", "3"])
    #expect(random.queries == 3 && random.requests == 0 && random.seed == nil)
    let few: DifferentialOptions = try options(DifferentialCommand.command, [])
    #expect(few.queries == 500 && few.shapes == nil)
  }

  @Test(arguments: Tool.rulesCheck.commands + Tool.development.commands)
  func noTwoOptionsOfACommandHaveTheSameName(_ command: Command) {
    let names = command.options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
    #expect(Set(names).count == names.count)
    #expect(command.options.allSatisfy { $0.name.hasPrefix("--") && !$0.summary.isEmpty })
  }
}
