import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// `rules-check audit`: the access matrix of a rules file.
enum AuditCommand {
  static let command = Command(
    name: "audit", operands: "[RULES]", operandCount: 0...1,
    summary: "who can do what to which field: the access matrix",
    details: """
      For each path of the rules, each kind of client and each operation: always, never, only if,
      or undecided. What is always or never so is proved for all requests; what depends is shown by
      a request that is allowed and one that is denied. --format html gives one page for an auditor.
      Exits 4 if an answer is undecided.
      """,
    run: AuditCommand.run)

  private static func run(_ options: AuditOptions) throws(UsageProblem) -> ExitStatus {
    var files = RulesFiles(profile: options.profile)
    let outcome: Checker.Outcome
    let hash: [UInt8]
    do throws(FileProblem) {
      outcome = try files.load(options.rulesPath)
      hash = SHA256.hash(try FileSystem.read(options.rulesPath))
    } catch {
      throw UsageProblem(error)
    }
    guard let rules = outcome.checked else {
      Complaints(options.reporting.terminal).print(outcome.diagnostics, in: outcome.ruleset.source)
      return .unusable
    }
    let whole = options.limits.whole()
    let auditor = Auditor(rules, profile: options.profile) {
      options.limits.question(of: whole)
    }
    let matrix = auditor.matrix()
    if matrix.paths.isEmpty {
      throw UsageProblem(
        "`\(options.rulesPath)` has no statement that a document could meet",
        help: "every request is denied; there is nothing to audit")
    }
    let report = AuditReport(
      rulesPath: options.rulesPath, rules: rules.ruleset,
      hash: String(Base16.text(of: hash)).lowercased(), date: options.date ?? today,
      profile: options.profile, matrix: matrix)
    try options.reporting.emit { format in
      switch format {
      case .markdown: AuditMarkdown(report.naming(Repository().path)).text
      case .json: report.naming(Repository().path).json.pretty
      case .html: AuditPage(report.naming(Repository().path)).text
      case .pretty:
        AuditText(options.reporting.palette, isQuiet: options.reporting.isQuiet).render(report)
      }
    }
    DefectFolder.tell(missed: matrix.missed)
    return matrix.count(.undecided) == 0 ? .success : .undecided
  }

  /// The day by Greenwich time.
  private static var today: String { String(Clock.now.description.prefix { $0 != "T" }) }
}
