import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// The command line of `prove`.
struct ProveOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, markdown }

  /// A claim that the command line states.
  struct Statement {
    /// The documents in scope.
    var path: String?
    /// The methods and fields, as lists separated by commas.
    var methods: String?
    var writes: String?
    /// The conditions.
    var given: String?
    var onlyIf: String?
    var alwaysIf: String?
    /// True if nothing may be allowed.
    var isNever: Bool
    /// True if no condition may end in an error.
    var isWithoutErrors: Bool
    /// The condition that documents keep.
    var keeps: String?
    /// The maximum number of earlier requests, as written.
    var through: String?
    /// The expected result.
    var expectation: Claim.Expectation?

    /// The first option that makes a claim; nil if there is none.
    var option: String? {
      if onlyIf != nil { return ProveOptions.onlyIf.name }
      if alwaysIf != nil { return ProveOptions.alwaysIf.name }
      if isNever { return ProveOptions.never.name }
      if isWithoutErrors { return ProveOptions.noErrors.name }
      return keeps == nil ? nil : ProveOptions.keeps.name
    }
  }

  static let path = Option(
    name: "--path", value: "PATH",
    summary: "the documents of the claim: '/users/{uid}'; {x=**} is any number of segments")
  static let methods = Option(
    name: "--methods", value: "LIST",
    summary: "the methods: get, list, create, update, delete, read, write, with commas")
  static let writes = Option(
    name: "--writes", value: "FIELDS",
    summary: "only requests that add, change or remove one of these fields, with commas")
  static let given = Option(
    name: "--given", value: "CONDITION", summary: "only requests for which this is true")
  static let onlyIf = Option(
    name: "--only-if", value: "CONDITION",
    summary: "claim: every allowed request satisfies the condition")
  static let alwaysIf = Option(
    name: "--always-if", value: "CONDITION",
    summary: "claim: every request that satisfies the condition is allowed")
  static let never = Flag(name: "--never", summary: "claim: nothing is allowed")
  static let noErrors = Flag(
    name: "--no-errors", summary: "claim: no condition ends in an error")
  /// `--keeps CONDITION`.
  static let keeps = Option(
    name: "--keeps", value: "CONDITION",
    summary: "claim: no allowed request makes the condition on `resource` false of a document")
  /// `--through any|N`.
  static let through = Option(
    name: "--through", value: "any|N",
    summary: "with --only-if: also after this many allowed requests of the same client")
  /// `--repair`.
  static let repair = Flag(
    name: "--repair", summary: "propose changes of the rules under which a violated claim is proved"
  )
  /// `--write N`.
  static let write = Option(
    name: "--write", value: "N", in: 1...Int.max,
    summary: "with --repair: write the rules with this change",
    refusal: { UsageProblem("`\($1) \($0)` is not the number of a repair") }
  ).reachingOut
  static let expect = Option<Claim.Expectation>(
    name: "--expect", value: "VERDICT", among: Claim.Expectation.allCases, word: { $0.word },
    summary: "the expected verdict on the claim of the command line")
  static let rules = TestOptions.rules
  static let filter = Option(
    name: "--filter", value: "TEXT", summary: "only claims whose name contains the text")
  static let limits = LimitOptions("the time for one claim", seconds: 10)
  static let certificate = Option(
    name: "--certificate", value: "FILE",
    summary: "write the checked proofs, for `rules-check verify-proof`"
  ).reachingOut
  static let smtlib = Option(
    name: "--smtlib", value: "DIR",
    summary: "write each claim as an SMT-LIB 2 script: unsat for proved, sat for violated"
  ).reachingOut
  static let allowEmpty = CommonOptions.allowEmpty("claim")

  static let table: [any OptionRow] =
    [
      path, methods, writes, given, onlyIf, alwaysIf, never, noErrors, keeps, through, repair,
      write, expect,
      rules, CommonOptions.database,
      filter,
    ] + limits.rows + [CommonOptions.profile, certificate, smtlib, DefectFolder.option, allowEmpty]

  /// The suites, rules files and folders; empty for those of the project.
  let paths: [String]
  /// The settings of deciding claims.
  let suites: SuiteOptions
  /// The claim about the rules files.
  let statement: Statement
  /// The file for a certificate; nil for none.
  let certificatePath: String?
  /// The folder for scripts; nil for none.
  let scriptFolder: String?
  /// The folder for defect reports.
  let defectFolder: String?
  /// True if it is not an error that nothing was decided.
  let allowsEmpty: Bool
  /// True to search for repairs.
  let repairs: Bool
  /// The number of the repair to write.
  let writtenRepair: Int?
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    reporting = try Reporting(invocation)
    var suites = SuiteOptions()
    suites.limits = try QuestionLimits(Self.limits, of: invocation)
    suites.profile = try Configuration.profile(invocation)
    suites.databases = try Databases(invocation)
    suites.rulesPath = try invocation[Self.rules]
    suites.filter = try invocation[Self.filter]
    suites.part = .claims
    suites.explainsProofs = true
    suites.showsExpected = true
    self.suites = suites
    statement = Statement(
      path: try invocation[Self.path], methods: try invocation[Self.methods],
      writes: try invocation[Self.writes], given: try invocation[Self.given],
      onlyIf: try invocation[Self.onlyIf], alwaysIf: try invocation[Self.alwaysIf],
      isNever: invocation.has(Self.never), isWithoutErrors: invocation.has(Self.noErrors),
      keeps: try invocation[Self.keeps],
      through: try invocation[Self.through],
      expectation: try invocation[Self.expect])
    if statement.path == nil, let option = statement.option {
      throw Self.needsPath("`\(option)`")
    }
    paths = invocation.operands
    certificatePath = try invocation[Self.certificate]
    scriptFolder = try invocation[Self.smtlib]
    defectFolder = try invocation[DefectFolder.option]
    writtenRepair = try invocation[Self.write]
    repairs = invocation.has(Self.repair)
    if writtenRepair != nil, !repairs {
      throw UsageProblem("\(Self.write.name) goes with \(Self.repair.name)")
    }
    allowsEmpty = invocation.has(Self.allowEmpty)
    let reports = reporting.destinations.compactMap { $0.file.map { FilePath.normalized($0) } }
    if let certificatePath, reports.contains(FilePath.normalized(certificatePath)) {
      throw UsageProblem(
        "a report and the certificate would both be written to \(certificatePath)")
    }
  }

  /// Returns the error of something that needs `--path`.
  static func needsPath(_ subject: String) -> UsageProblem {
    UsageProblem(
      "\(subject) needs `\(path.name)`",
      help: "for example \(path.name) '/users/{uid}' "
        + "\(onlyIf.name) 'request.auth.uid == uid'")
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try ProveCommand.emit(
      ProofReport(files: [], refusals: [Annotation](refusal)), to: reporting)
  }
}
