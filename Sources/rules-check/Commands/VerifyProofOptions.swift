import RulesEval
import RulesHost
import RulesProofReport
import RulesReport
import RulesLang

/// The command line of `verify-proof`.
struct VerifyProofOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json }

  static let rules = Option(
    name: "--rules", value: "FILE",
    summary: "the rules that the certificate must be about")

  static let table: [any OptionRow] = [rules, CommonOptions.database]

  /// The certificates.
  let paths: [String]
  /// The rules file that the certificates must be about; nil for the files that they name.
  let rulesPath: String?
  /// The databases that they must be about.
  let databases: Databases
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    paths = invocation.operands
    rulesPath = try invocation[Self.rules]
    databases = try Databases(invocation)
    reporting = try Reporting(invocation)
  }

  /// Writes reports with the error of a command line.
  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    var report = VerificationReport(findings: [])
    let repository = Repository()
    report.refusals = [Annotation](refusal).map { $0.naming(repository.path) }
    try reporting.emit { $0 == .json ? report.json.pretty : nil }
  }
}
