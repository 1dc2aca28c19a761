import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// `rules-check prove`: claims about all requests.
enum ProveCommand {
  static let command = Command(
    name: "prove", operands: "[RULES|SUITE…]", operandCount: 0...Int.max,
    summary: "claims about all requests: proved, or a counterexample",
    details: """
      Decides the claims of suites. In a folder it searches for *.suite.json. For a rules file, give
      the claim by options: --path and one of --only-if, --always-if, --never, --no-errors and --keeps.
      With --through the claim is about what a client can reach by several requests. --repair proposes
      changes of the rules for a violated claim. With such a change the claim is proved, every test of
      the suite that passed still passes, and no request is newly allowed.

      A claim is PROVED for all requests, or VIOLATED by a request that the evaluator has decided, or
      UNDECIDED. It is VACUOUS if no request is in its scope: no match block covers its path, or its
      givens contradict each other. The proof checker checks proofs over single requests; a proof that
      was not checked says so. Exits 1 if a claim does not come out as expected, 4 if one is undecided.
      """,
    run: ProveCommand.run)

  private static func run(_ options: ProveOptions) throws(UsageProblem) -> ExitStatus {
    var claims = ClaimRun(options)
    do throws(UsageProblem) {
      try claims.collect()
      if options.repairs { try ClaimRepairs(options).add(to: &claims) }
    } catch {
      try emit(
        ProofReport(files: claims.files, refusals: claims.refusals + [Annotation](error)),
        to: options.reporting)
      throw error
    }
    let report = ProofReport(files: claims.files, refusals: claims.refusals)
    let evidence = try ClaimEvidence(options).write(report, claims.suites)
    let bundles = report.files.flatMap { file in
      file.results.compactMap { DefectBundle($0, about: file.rules, of: file.database) }
    }
    try DefectFolder.write(bundles, to: options.defectFolder)
    try emit(report, to: options.reporting)
    DefectFolder.tell(missed: report.results.count { $0.isMissed })
    DefectFolder.tell(refused: report.results.count { $0.isRefused })
    if report.results.isEmpty, !options.allowsEmpty, claims.status == .success {
      throw UsageProblem(
        options.suites.filter.map { "no claim has a name with \"\($0)\"" }
          ?? "there is no claim to decide",
        help: options.suites.filter == nil
          ? "a suite states them in \"claims\"; for a rules file give "
            + "\(ProveOptions.path.name) and \(ProveOptions.onlyIf.name)"
          : "add \(ProveOptions.allowEmpty.name) if that is intended")
    }
    return report.results.reduce(claims.status.and(evidence)) { $0.and(ExitStatus($1.conclusion)) }
  }

  /// Writes the reports. Errors have been printed already.
  static func emit(
    _ report: ProofReport, to reporting: Reporting<ProveOptions.Format>
  ) throws(UsageProblem) {
    let isRefused = report.files.isEmpty && !report.refusals.isEmpty
    try reporting.emit { format in
      switch format {
      case .json: report.naming(Repository().path).json.pretty
      case .markdown: ProofTable(report.naming(Repository().path)).text
      case .pretty where isRefused: nil
      case .pretty:
        ProofText(reporting.palette, isQuiet: reporting.isQuiet).render(report)
      }
    }
  }
}

/// Reads the claims of a command line, and decides them.
struct ClaimRun {
  private let options: ProveOptions
  private var loader: SuiteLoader
  private var scheduler: SuiteScheduler
  fileprivate(set) var files: [ProofReport.File] = []
  /// The suites of the files, in the same order.
  private(set) var suites: [LoadedSuite] = []

  init(_ options: ProveOptions) {
    self.options = options
    loader = SuiteLoader(options.suites, on: options.reporting.terminal)
    scheduler = SuiteScheduler(options.suites)
  }

  /// The exit status so far: `unusable` once a file could not be used.
  var status: ExitStatus { loader.status }
  /// Errors of files that could not be used, in order.
  var refusals: [Annotation] { loader.refusals }

  /// Decides all claims.
  mutating func collect() throws(UsageProblem) {
    for path in try paths() { try add(path) }
    report(scheduler.finish())
  }

  /// Returns the files to read: without operands the suites of the project, or its rules if the command line
  /// states a claim.
  private func paths() throws(UsageProblem) -> [String] {
    guard options.paths.isEmpty else { return options.paths }
    return options.statement.path == nil
      ? try SuiteSearch.files([], of: Configuration.find()) : try RulesSearch.files([])
  }

  private mutating func report(_ results: [SuiteResult]) {
    for result in results {
      suites.append(result.suite)
      files.append(result.suite.proofFile(result.claims))
    }
  }

  private mutating func add(_ operand: String) throws(UsageProblem) {
    do throws(FileProblem) {
      switch FileSystem.kind(of: operand) {
      case .folder:
        for path in try FileSystem.files(below: operand, suffix: SuiteSearch.suffix) {
          try addSuite(path)
        }
      case .missing: throw FileProblem(path: operand, reason: "no such file or folder")
      case .file:
        if operand.hasSuffix(".json") { return try addSuite(operand) }
      }
    } catch {
      throw UsageProblem(error)
    }
    if FileSystem.kind(of: operand) == .file { try addRules(operand) }
  }

  private mutating func addSuite(_ path: String) throws(FileProblem) {
    for text in try SuiteLoader.texts(of: path, streaming: false, options.suites) {
      if let suite = loader.load(text) { report(scheduler.add(suite)) }
    }
  }

  // MARK: The command line's own claim

  private mutating func addRules(_ path: String) throws(UsageProblem) {
    let suite = try statedClaim()
    let checked: Checked?
    do throws(FileProblem) {
      checked = try loader.checked(path, for: .standard)
    } catch {
      throw UsageProblem(error)
    }
    guard let checked else { return }
    for database in try options.suites.databases.distinct(of: path, checked) {
      if let named = suite.claims[0].rootDatabase, named != database {
        throw UsageProblem(
          "the path is of the database \(String(named.text)), and the claim is about "
            + String(database.text),
          help: "\(CommonOptions.database.name) NAME chooses one")
      }
      var deployed = suite
      deployed.database = database
      if let loaded = loader.load(deployed, about: checked, at: path) {
        report(scheduler.add(loaded))
      }
    }
  }

  /// Returns a suite with the claim of the options alone: these become the JSON of a suite's claim, which is
  /// then read like any other.
  private func statedClaim() throws(UsageProblem) -> Suite {
    let stated = options.statement
    guard let path = stated.path else {
      throw ProveOptions.needsPath("a claim about a rules file")
    }
    var members = [JSON.Member("path", value: JSON(.string(Text(path))))]
    for (key, value) in [
      ("given", stated.given), ("onlyIf", stated.onlyIf), ("alwaysIf", stated.alwaysIf),
      ("keeps", stated.keeps), ("expect", stated.expectation?.word),
    ] as [(Text, String?)] {
      if let value { members.append(JSON.Member(key, value: JSON(.string(Text(value))))) }
    }
    for (key, value) in [
      ("methods", stated.methods), ("writes", stated.writes),
    ] as [(Text, String?)] {
      if let value {
        let words = value.split(separator: ",").map { JSON(.string(Text(trimmed(String($0))))) }
        members.append(JSON.Member(key, value: JSON(.array(words))))
      }
    }
    if let through = stated.through {
      let count = Int(through).map { JSON(.number("\($0)")) }
      members.append(JSON.Member("through", value: count ?? JSON(.string(Text(through)))))
    }
    if stated.isNever { members.append(JSON.Member("never", value: JSON(.bool(true)))) }
    if stated.isWithoutErrors {
      members.append(JSON.Member("errors", value: JSON(.bool(false))))
    }
    let suite = JSON(
      .object([JSON.Member("claims", value: JSON(.array([JSON(.object(members))])))]))
    let (read, diagnostics) = SuiteReader.read(suite, in: SourceText(name: "the command line", ""))
    guard let read, read.claims.count == 1 else {
      let first = diagnostics.first
      throw UsageProblem(
        first?.message ?? "the claim cannot be understood",
        help: first?.help?.asOptions ?? Self.oneObligation)
    }
    return read
  }

  /// The help for a claim without an obligation.
  fileprivate static let oneObligation: String = {
    let names: [any OptionRow] = [
      ProveOptions.onlyIf, ProveOptions.alwaysIf, ProveOptions.never, ProveOptions.noErrors,
      ProveOptions.keeps,
    ]
    return "give it one of " + names.map(\.name).joined(separator: ", ")
  }()

  private func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// Searches for changes of the rules that make violated claims proved.
struct ClaimRepairs {
  private let options: ProveOptions

  /// Prepares the search.
  init(_ options: ProveOptions) { self.options = options }

  /// Returns the reason why no repair is written; `counts` has the number of repairs of each violated claim.
  private static func refusal(of number: Int, _ counts: [Int]) -> UsageProblem {
    let asked = "\(ProveOptions.write.name) \(number)"
    switch counts.count {
    case 0: return UsageProblem("`\(asked)` has nothing to repair: no claim is violated")
    case 1:
      let found = counts[0] == 0 ? "no repair was found" : "the last repair is \(counts[0])"
      return UsageProblem(
        "`\(asked)` does not name a repair: \(found)",
        help: "without \(ProveOptions.write.name) they are listed")
    default:
      return UsageProblem(
        "`\(asked)` does not name one repair: \(counts.count) claims are violated",
        help: "\(ProveOptions.filter.name) NAME chooses the claim")
    }
  }

  /// Adds the repairs to the results, and writes the requested one.
  func add(to claims: inout ClaimRun) throws(UsageProblem) {
    var written: [(path: String, rules: SourceText)] = []
    var counts: [Int] = []
    for file in claims.files.indices {
      let suite = claims.suites[file]
      for place in claims.files[file].results.indices {
        let result = claims.files[file].results[place]
        guard case .violated(let found) = result.verdict else { continue }
        let search = RepairSearch(
          suite.engine, claim: result.claim, suite: suite.suite, at: Clock.now
        ) { options.suites.limits.question() }
        let repairs = search.repairs(of: found)
        claims.files[file].results[place].repairs = repairs
        counts.append(repairs.count)
        if let number = options.writtenRepair, number <= repairs.count {
          written.append((suite.rulesPath, repairs[number - 1].rules))
        }
      }
    }
    guard let number = options.writtenRepair else { return }
    guard written.count == 1, let only = written.first else {
      throw Self.refusal(of: number, counts)
    }
    do throws(FileProblem) {
      try FileSystem.replace(only.path, with: only.rules.bytes)
      Complaints(options.reporting.terminal).print("\(only.path): written with the repair")
    } catch {
      throw UsageProblem(error)
    }
  }
}

extension String {
  /// The help of the suite reader with keys replaced by the names of options.
  fileprivate var asOptions: String {
    self == "give it one of onlyIf, alwaysIf, never, errors, keeps"
      ? ClaimRun.oneObligation : self
  }
}
