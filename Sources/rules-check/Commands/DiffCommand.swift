import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// `rules-check diff`: the requests that became allowed, and those that became denied.
enum DiffCommand {
  static let command = Command(
    name: "diff", operands: "OLD NEW", operandCount: 0...Int.max,
    summary: "what became allowed, what became denied",
    details: """
      Compares two rules files over all requests. Each path pattern and method is LOOSENED,
      TIGHTENED, CHANGED (both), EQUIVALENT or UNDECIDED. Each difference is a sentence with a
      request that both files have decided.

      --base takes the older version from git: the commit at which HEAD left REV (their merge base).
      A...B and A..B mean what they mean to git diff. Without a file it compares the rules of the
      project, database by database, as firebase.json deploys them. A removed rules file is
      UNMANAGED: its rules stay deployed.

      Exits 1 if something was loosened or is unmanaged. Exits 4 if something is undecided, or if
      more may be loosened than the report shows.
      """,
    run: DiffCommand.run)

  private static func run(_ options: DiffOptions) throws(UsageProblem) -> ExitStatus {
    var report = DiffReport(pairs: [], failOn: options.failOn)
    var versions = RulesVersions()
    do throws(UsageProblem) {
      try versions.find(options)
    } catch {
      report.refusals = versions.refusals + [Annotation](error)
      try emit(report, to: options.reporting)
      throw error
    }
    if versions.pairs.isEmpty, versions.refusals.isEmpty {
      guard options.allowsEmpty else {
        let problem = UsageProblem(
          "there are no rules here, and git knows no *.rules file of Firestore",
          help: "add \(DiffOptions.allowEmpty.name) if that is intended")
        report.refusals = [Annotation](problem)
        try emit(report, to: options.reporting)
        throw problem
      }
      try emit(report, to: options.reporting)
      return .success
    }
    report.refusals = versions.refusals
    report.notices = versions.notices
    if let base = options.base, let history = versions.history {
      let configuration = try Configuration.find(isRemarking: false)
      let silences = SilenceHistory(base, history, configuration.levels)
      report.silences = versions.pairs.flatMap { pair in
        silences.comments(of: pair.new, since: pair.old)
      }
      report.silences += try silences.settings(of: configuration)
      if versions.isOfWorkingTree {
        report.notices += try SuiteHistory.notices(since: base, history, now: configuration)
      }
    }
    for reason in report.refusals {
      Complaints(options.reporting.terminal).print(reason.message)
    }
    var databases: [[String]] = []
    for pair in versions.pairs {
      for compared in try compare(pair, options, refusing: &report.refusals) {
        report.pairs.append(compared.pair)
        databases.append(compared.databases)
      }
    }
    try emit(report, for: databases, to: options.reporting)
    try DefectFolder.write(
      report.pairs.compactMap { DefectBundle($0, profile: options.profile) },
      to: options.defectFolder)
    DefectFolder.tell(missed: report.pairs.reduce(0) { $0 + $1.missed.count })
    let status = report.refusals.isEmpty ? ExitStatus.success : .unusable
    return status.and(ExitStatus(report.conclusion))
  }

  static func emit(
    _ report: DiffReport, for databases: [[String]] = [],
    to reporting: Reporting<DiffOptions.Format>
  ) throws(UsageProblem) {
    let named = report.naming(Repository().path)
    try reporting.emit { format in
      switch format {
      case .json: named.json.naming(databases, in: "files").pretty
      case .markdown: DiffMarkdown(named).text
      case .github: GitHubReport(named.annotations).text
      case .sarif: SARIFReport(named.annotations, rules: DiffReport.kinds).text
      // The reason why nothing could be compared has been printed.
      case .pretty where report.pairs.isEmpty: nil
      case .pretty:
        DiffText(reporting.palette, isQuiet: reporting.isQuiet).render(report, for: databases)
      }
    }
    if reporting.isAsked(for: { $0 == .github }) {
      try StepSummary.write(named.annotations)
    }
  }

  // MARK: Comparing

  /// Compares two texts for each of their databases; returns none, with the error printed, if one does not
  /// compile.
  private static func compare(
    _ pair: RulesVersions.Pair, _ options: DiffOptions, refusing refusals: inout [Annotation]
  ) throws(UsageProblem) -> [(pair: DiffReport.Pair, databases: [String])] {
    let complaints = Complaints(options.reporting.terminal)
    if case .unmanaged = pair.standing {
      let (old, new) = (Checker.check(pair.old).ruleset, Checker.check(pair.new).ruleset)
      var unmanaged = DiffReport.Pair(old: old, new: new, paths: [], nanoseconds: 0)
      unmanaged.standing = pair.standing
      unmanaged.databases = pair.databases
      return [(unmanaged, pair.databases)]
    }
    var engines: [Engine] = []
    for source in [pair.old, pair.new] {
      let outcome = Checker.checkFirestore(source, profile: options.profile)
      if let checked = outcome.checked {
        engines.append(Engine(checked, profile: options.profile))
        continue
      }
      complaints.print(outcome.diagnostics, in: source)
      let reasons = [Annotation](outcome.diagnostics, in: source)
      // An older version has no file to which an annotation could point.
      refusals +=
        options.base != nil && source.name == pair.old.name
        ? reasons.map { $0.about(pair.new.name, in: source) } : reasons
    }
    guard engines.count == 2 else { return [] }
    let all = try databases(of: pair, options)
    let areAlike = engines.allSatisfy { !$0.rules.dependsOnDatabase }
    var compared: [(pair: DiffReport.Pair, databases: [String])] = []
    for database in areAlike ? [all[0]] : all {
      let found = compare(
        engines.map { Engine($0.rules.deployed(to: database), profile: options.profile) },
        of: pair, options)
      compared.append(
        (found, areAlike || all.count == 1 ? pair.databases : [String(database.text)]))
      let hasStatements = engines.contains { !$0.rules.ruleset.allows.isEmpty }
      guard found.paths.isEmpty, hasStatements, !options.allowsEmpty else { continue }
      let message =
        "\(pair.new.name): no statement applies to a document of the database "
        + "`\(String(database.text))`, before or after the change: nothing was compared"
      complaints.print(message)
      refusals.append(Annotation(about: pair.new.name, message: message, code: .usage))
    }
    return compared
  }

  /// Returns the databases of two texts.
  private static func databases(
    of pair: RulesVersions.Pair, _ options: DiffOptions
  ) throws(UsageProblem) -> [DatabaseName] {
    if pair.databases.isEmpty { return try options.databases.all(of: pair.new.name) }
    return options.databases.chosen.map { [$0] }
      ?? pair.databases.map { DatabaseName(Text($0)) }
  }

  private static func compare(
    _ engines: [Engine], of pair: RulesVersions.Pair, _ options: DiffOptions
  ) -> DiffReport.Pair {
    let start = Clock.nanoseconds
    let comparison = RulesComparison(
      from: engines[0], to: engines[1], within: options.limits.report(), steps: options.limits.steps
    )
    let paths = Progress.during(
      "comparing \(pair.old.name) with \(pair.new.name)", isWanted: !options.reporting.isQuiet
    ) { comparison.run() }
    var compared = DiffReport.Pair(
      old: engines[0].rules.ruleset, new: engines[1].rules.ruleset,
      database: engines[1].rules.database, paths: paths,
      nanoseconds: Clock.nanoseconds - start)
    compared.standing = pair.standing
    compared.databases = pair.databases
    return compared
  }
}

extension Annotation {
  /// Returns the annotation of a whole file, of which another text is a version.
  fileprivate func about(_ file: String, in source: SourceText) -> Annotation {
    let line = place.map { ":\($0.line):\($0.column)" } ?? ""
    var whole = self
    whole.file = file
    whole.place = nil
    whole.message = "\(source.name)\(line): \(message)"
    whole.remarks = []
    whole.related = []
    return whole
  }
}
