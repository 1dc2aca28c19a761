import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// `rules-check prove`: claims about all requests.
enum ProveCommand {
  static let command = Command(
    name: "prove", operands: "RULES|SUITE…", operandCount: 1...Int.max,
    summary: "claims about all requests: proved, or a counterexample",
    details: """
      Decides the claims of suites; a folder is searched for *.suite.json. For a rules file the
      claim is given by options: --path and one of --only-if, --always-if, --never and --no-errors.
      A claim is PROVED for all requests, or VIOLATED by a request that the evaluator has decided,
      or UNDECIDED; VACUOUS if no request is in its scope: no match block is for its path, or its
      givens contradict each other. Exits 1 if a claim does not come out as expected, 4 if one is
      undecided.
      """,
    options: [
      Option(
        name: "--path", value: "PATH",
        summary: "the documents of the claim: '/users/{uid}'; {x=**} is any number of segments"),
      Option(
        name: "--methods", value: "LIST",
        summary: "the methods: get, list, create, update, delete, read, write, with commas"),
      Option(
        name: "--writes", value: "FIELDS",
        summary: "only requests that add, change or remove one of these fields, with commas"),
      Option(
        name: "--given", value: "CONDITION", summary: "only requests for which this is true"),
      Option(
        name: "--only-if", value: "CONDITION",
        summary: "claim: whatever is allowed satisfies the condition"),
      Option(
        name: "--always-if", value: "CONDITION",
        summary: "claim: whatever satisfies the condition is allowed"),
      Option(name: "--never", value: nil, summary: "claim: nothing is allowed"),
      Option(
        name: "--no-errors", value: nil, summary: "claim: no condition ends in an error"),
      Option(
        name: "--expect", value: "VERDICT",
        choices: Claim.Expectation.allCases.map(\.word),
        summary: "what the claim of the command line is expected to be"),
      Option(
        name: "--rules", value: "FILE", summary: "the rules to use instead of the suite's own"),
      Option(
        name: "--filter", value: "TEXT", summary: "only claims whose name contains the text"),
      Option(
        name: "--timeout", value: "SECONDS", summary: "the time for one claim (10 s by default)"),
      QuestionLimits.stepsOption(),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
      Option(
        name: "--certificate", value: "FILE",
        summary: "write the proofs, for `rules-check verify-proof` to check"),
      Option(
        name: "--smtlib", value: "DIR",
        summary: "write each claim as an SMT-LIB 2 script: unsat for proved, sat for violated"),
      DefectFolder.option,
      Option(name: "--allow-empty", value: nil, summary: "no claim at all is no problem"),
    ],
    formats: ["pretty", "json", "markdown"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let claims = try ClaimCollector(invocation).collect()
    if claims.files.isEmpty, claims.status == .unusable { return .unusable }
    let report = ProofReport(files: claims.files)
    let evidence = try ClaimEvidence(invocation).write(report, claims.decided)
    let bundles = report.files.flatMap { file in
      file.results.compactMap { DefectBundle($0, about: file.rules) }
    }
    try DefectFolder.write(bundles, as: invocation)
    try invocation.emit { format in
      switch format {
      case "json": report.json.pretty
      case "markdown": ProofTable(report).text
      default: ProofText(invocation.palette, isQuiet: invocation.isQuiet).render(report)
      }
    }
    DefectFolder.tell(missed: report.results.count { $0.isMissed })
    if report.results.isEmpty, !invocation.has("--allow-empty"), claims.status == .success {
      throw UsageProblem(
        invocation["--filter"].map { "no claim has a name with \"\($0)\"" }
          ?? "there is no claim to decide",
        help: "a suite states them in \"claims\"; for a rules file give --path and --only-if")
    }
    return report.results.reduce(claims.status.and(evidence)) { $0.and(ExitStatus($1.conclusion)) }
  }
}

/// Reads the claims that a command line names, and decides them.
struct ClaimCollector {
  private let invocation: Invocation
  private let runner: ClaimRunner
  private let complaints: Complaints
  private var rules: RulesFiles
  private(set) var files: [ProofReport.File] = []
  /// The claims of all files, in order.
  private(set) var decided: [DecidedClaim] = []
  /// `unusable` once a file could not be used.
  private(set) var status = ExitStatus.success

  init(_ invocation: Invocation) throws(UsageProblem) {
    self.invocation = invocation
    runner = try ClaimRunner(invocation, explaining: true)
    complaints = Complaints(invocation.terminal)
    rules = RulesFiles(profile: invocation.profile)
  }

  func collect() throws(UsageProblem) -> ClaimCollector {
    var collector = self
    for operand in invocation.operands { try collector.add(operand) }
    return collector
  }

  private mutating func add(_ operand: String) throws(UsageProblem) {
    do throws(FileProblem) {
      switch FileSystem.kind(of: operand) {
      case .folder:
        for path in try FileSystem.files(below: operand, suffix: ".suite.json") {
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

  // MARK: Suites

  private mutating func addSuite(_ path: String) throws(FileProblem) {
    let source = SourceText(name: path, bytes: try FileSystem.read(path))
    let (suite, diagnostics) = SuiteReader.read(source)
    guard let suite else { return refuse(diagnostics, in: source) }
    let filter = invocation["--filter"]
    let wanted = suite.claims.filter { claim in filter.map { claim.name.contains($0) } ?? true }
    if wanted.isEmpty { return }
    guard
      let rulesPath = invocation["--rules"]
        ?? suite.rulesPath.map({ FilePath.join(FilePath.folder(of: path), with: String($0)) })
    else {
      let missing = Diagnostic(
        .suite, severity: .error, message: "the suite names no rules",
        at: SourceRange(start: UInt32(0), end: 1),
        help: "add \"rules\": \"FILE\", or give --rules FILE")
      return refuse([missing], in: source)
    }
    try decide(wanted, of: source, rulesPath) { suite.fieldNames }
  }

  private mutating func decide(
    _ claims: [Claim], of source: SourceText, _ rulesPath: String, fields: () -> Set<Text>
  ) throws(FileProblem) {
    let outcome = try rules.load(rulesPath)
    guard let checked = outcome.checked else {
      return refuse(outcome.diagnostics, in: outcome.ruleset.source)
    }
    do throws(ClaimSet.Refusal) {
      let results = try runner.run(claims, about: checked, profile: invocation.profile)
      decided += results
      files.append(
        ProofReport.File(
          source: source, rulesPath: rulesPath, rules: outcome.ruleset.source,
          results: results.map { $0.lookingForFields(in: fields) }))
    } catch {
      if source.bytes.isEmpty {
        error.problems.forEach { complaints.print($0.message) }
        status = .unusable
      } else {
        refuse(error.diagnostics, in: source)
      }
    }
  }

  private mutating func refuse(_ diagnostics: [Diagnostic], in source: SourceText) {
    complaints.print(diagnostics, in: source)
    status = .unusable
  }

  // MARK: The command line's own claim

  private mutating func addRules(_ path: String) throws(UsageProblem) {
    let claim = try statedClaim()
    do throws(FileProblem) {
      try decide([claim], of: SourceText(name: "the command line", ""), path) { [] }
    } catch {
      throw UsageProblem(error)
    }
  }

  /// The claim that the options state: they become the JSON of a suite's claim, which is then read
  /// like any other.
  private func statedClaim() throws(UsageProblem) -> Claim {
    guard let path = invocation["--path"] else {
      throw UsageProblem(
        "a claim about a rules file needs --path",
        help: "for example --path '/users/{uid}' --only-if 'request.auth.uid == uid'")
    }
    var members = [JSON.Member("path", value: JSON(.string(Text(path))))]
    for (option, key) in [
      ("--given", "given"), ("--only-if", "onlyIf"), ("--always-if", "alwaysIf"),
      ("--expect", "expect"),
    ] as [(String, Text)] {
      if let value = invocation[option] {
        members.append(JSON.Member(key, value: JSON(.string(Text(value)))))
      }
    }
    for (option, key) in [("--methods", "methods"), ("--writes", "writes")] as [(String, Text)] {
      if let value = invocation[option] {
        let words = value.split(separator: ",").map { JSON(.string(Text(trimmed(String($0))))) }
        members.append(JSON.Member(key, value: JSON(.array(words))))
      }
    }
    if invocation.has("--never") { members.append(JSON.Member("never", value: JSON(.bool(true)))) }
    if invocation.has("--no-errors") {
      members.append(JSON.Member("errors", value: JSON(.bool(false))))
    }
    let suite = JSON(
      .object([JSON.Member("claims", value: JSON(.array([JSON(.object(members))])))]))
    let (read, diagnostics) = SuiteReader.read(suite, in: SourceText(name: "the command line", ""))
    guard let claim = read?.claims.first else {
      let first = diagnostics.first
      throw UsageProblem(
        first?.message ?? "the claim cannot be understood",
        help: first?.help?.asOptions
          ?? "give it one of --only-if, --always-if, --never, --no-errors")
    }
    return claim
  }

  private func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension String {
  /// A help line of the suite reader with the names that the command line has for things.
  fileprivate var asOptions: String {
    self == "give it one of onlyIf, alwaysIf, never, errors"
      ? "give it one of --only-if, --always-if, --never, --no-errors" : self
  }
}
