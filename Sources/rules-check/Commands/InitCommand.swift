import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// `rules-check init`: a first suite for a rules file.
enum InitCommand {
  /// The command.
  static let command = Command(
    name: "init", operands: "[RULES]", operandCount: 0...1,
    summary: "write a first suite for a rules file",
    details: """
      Writes RULES.suite.json beside the rules, or the file of --output (- for standard output). For
      each statement it contains requests that the statement grants, and similar ones that are
      denied: another user's, one of someone signed out, one with other data. All tests pass with the
      current rules, and still pass after an edit that changes no decision. Review them, and change
      what should be different. Without RULES it uses the rules of the project, as `check` finds
      them, and writes a suite for each database.

      --full writes as few tests as it can that reach every outcome of every statement and of every
      part of a condition, and that notice every change of `mutate` that affects a decision. It lists
      what cannot be reached. It adds the missing tests to an existing suite.
      """,
    run: InitCommand.runAll)

  /// Writes a suite for each of the rules files. An error with one does not stop the others.
  private static func runAll(_ options: InitOptions) throws(UsageProblem) -> ExitStatus {
    guard options.rulesPaths.count > 1 else { return try run(options) }
    var status = ExitStatus.success
    for path in options.rulesPaths {
      var one = options
      one.rulesPaths = [path]
      do throws(UsageProblem) {
        status = status.and(try run(one))
      } catch {
        Complaints(options.reporting.terminal).print(error)
        status = status.and(.unusable)
      }
    }
    return status
  }

  private static func run(_ options: InitOptions) throws(UsageProblem) -> ExitStatus {
    let path = options.rulesPaths[0]
    let output = options.output ?? SuiteSearch.path(for: path)
    let now = options.time ?? Self.now
    if let real = FileSystem.real(output), real == FileSystem.real(path) {
      throw UsageProblem(
        "the suite would replace the rules in \(path)",
        help: "\(CommonOptions.output.name) FILE writes another")
    }
    guard !output.hasSuffix(".rules") else {
      throw UsageProblem(
        "\(output) is not a suite name", help: "suites end in \(SuiteSearch.suffix)")
    }
    let isThere = FileSystem.kind(of: output) != .missing && output != "-" && !options.isForced
    if isThere, !options.isFull {
      throw UsageProblem(
        "\(output) exists already",
        help: "\(InitOptions.full.name) adds what it lacks, \(InitOptions.force.name) replaces it, "
          + "\(CommonOptions.output.name) FILE writes another")
    }
    var files = RulesFiles(profile: options.profile)
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try files.load(path)
    } catch {
      throw UsageProblem(error)
    }
    let database = try options.databases.one(of: path, outcome.checked)
    guard let checked = outcome.checked?.deployed(to: database) else {
      Complaints(options.reporting.terminal).print(
        outcome.diagnostics, in: outcome.ruleset.source)
      return .unusable
    }
    if isThere { return try extend(output, testing: checked, in: path, options, now) }
    let draft = Self.draft(checked, options, now)
    if draft.entries.allSatisfy({ $0.tests.isEmpty }) { throw Self.empty(checked, path) }
    do throws(FileProblem) {
      let text = FirstSuiteText(
        draft.entries, remarks: draft.remarks, time: now,
        rules: FilePath.relative(path, to: FilePath.folder(of: output)), database: database
      ).text
      if output == "-" {
        Terminal.print(text)
        return draft.status
      }
      try FileSystem.write(Array(text.utf8), to: output)
      if !options.reporting.isQuiet {
        let name = Printable.text(output)
        Terminal.print(
          "wrote \(name): \(draft.summary)\nrun them: rules-check test \(Self.word(output))\n")
      }
      return draft.status
    } catch {
      throw UsageProblem(error)
    }
  }

  /// Returns the error that no test was found for the rules.
  private static func empty(_ rules: Checked, _ path: String) -> UsageProblem {
    let database = rules.database
    let isForNone = CostBounds(of: rules).blocks.isEmpty
    var problem = UsageProblem(
      isForNone
        ? "no test was found for \(path): no statement applies to a document of the database "
          + String(database.text)
        : "no test was found for \(path): no request is allowed",

      help: isForNone
        ? "`rules-check check \(path)` says why; \(CommonOptions.database.name) NAME is for the rules "
          + "of another database" : nil)
    problem.file = path
    return problem
  }

  /// Adds to a suite the tests that it lacks.
  private static func extend(
    _ output: String, testing rules: Checked, in path: String, _ options: InitOptions,
    _ now: Timestamp
  ) throws(UsageProblem) -> ExitStatus {
    let existing = try ExistingSuite(
      output, of: rules.database, on: options.reporting.terminal)
    guard let existing else { return .unusable }
    guard existing.rulesPath.map({ FileSystem.isSame($0, path) }) ?? true else {
      throw UsageProblem(
        "\(output) is about \(existing.rulesPath ?? "other rules"), not about \(path)",
        help: "\(CommonOptions.output.name) FILE writes another")
    }
    let suite = FullSuite(
      rules, profile: options.profile, now: options.time ?? existing.time ?? now,
      limits: options.limits, extending: existing.suite,
      showsProgress: !options.reporting.isQuiet)
    let draft = Self.draft(suite)
    try existing.add(draft.entries)
    if !options.reporting.isQuiet {
      let count = suite.testCount
      let added = count == 0 ? "nothing" : count.of("test")
      let rest = draft.summary.drop { $0 != "\n" }
      let name = Printable.text(output)
      Terminal.print(
        "added to \(name): \(added)\(rest)\nrun them: rules-check test \(Self.word(output))\n")
    }
    return draft.status
  }

  /// A suite that is not written yet.
  private struct Draft {
    var entries: [FirstSuite.Entry]
    var remarks: [String]
    var summary: String
    /// Undecided if a suite that should reach everything may lack something.
    var status = ExitStatus.success
  }

  private static func draft(
    _ rules: Checked, _ options: InitOptions, _ now: Timestamp
  ) -> Draft {
    guard options.isFull else {
      let suite = FirstSuite(rules, profile: options.profile, now: now, limits: options.limits)
      let remarks = [
        "A first suite, written by `rules-check init`: every test records what the rules do now.",
        "Review each one: should the rules do this? If not, change `expect`.",
      ]
      return Draft(
        entries: suite.entries, remarks: remarks,
        summary:
          "\(suite.testCount.of("test")) for \(suite.entries.count.of("statement"))")
    }
    return draft(
      FullSuite(
        rules, profile: options.profile, now: now, limits: options.limits,
        showsProgress: !options.reporting.isQuiet))
  }

  private static func draft(_ suite: FullSuite) -> Draft {
    let remarks = [
      "A full suite, written by `rules-check init --full`: every test records what the rules do now.",
      "Review each one: should the rules do this? If not, change `expect`, and then the rules.",
      "outcomes of statements: " + suite.outcomes.words("reached", "proved impossible"),
      "parts of conditions: " + suite.parts.words("reached", "proved impossible"),
      "changes of the rules: " + suite.changes.words("noticed", "proved to change no decision"),
    ]
    let open = suite.outcomes.open + suite.parts.open + suite.changes.open
    return Draft(
      entries: suite.entries, remarks: remarks + suite.remarks,
      summary: "\(suite.testCount) tests\n"
        + (remarks[2...] + suite.remarks.map { "  \($0)" }).joined(separator: "\n"),
      status: open == 0 ? .success : .undecided)
  }

  /// The current time without fractions of a second.
  private static var now: Timestamp {
    let now = Clock.now
    return Timestamp(epochSeconds: now.epochSeconds, nanos: 0) ?? now
  }

  /// Returns a path quoted for a shell if necessary.
  private static func word(_ path: String) -> String {
    let plain = path.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "/._-+@%:,".unicodeScalars.contains($0)
    }
    if plain { return path }
    let quoted = path.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + Printable.text(quoted.joined(separator: "'\\''")) + "'"
  }
}

extension FullSuite.Count {
  /// Returns the counts in words.
  fileprivate func words(_ reached: String, _ impossible: String) -> String {
    "\(self.reached) \(reached), \(self.impossible) \(impossible), \(open) undecided"
  }
}
