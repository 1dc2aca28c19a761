public import RulesEval

/// The audits of all rules files of a project.
public struct AuditReports: Sendable {
  /// The audits, in the order of the files.
  public var reports: [AuditReport]
  /// Why a file could not be audited, in order.
  public var refusals: [Annotation]

  /// Some audits, and why there are not more.
  public init(_ reports: [AuditReport], refusals: [Annotation]) {
    self.reports = reports
    self.refusals = refusals
  }

  /// The same with each file called what a function says.
  public func naming(_ name: (String) -> String) -> AuditReports {
    AuditReports(
      reports.map { $0.naming(name) }, refusals: refusals.map { $0.naming(name) })
  }

  /// The report for programs: that of the one file, or all of them under `"audits"`.
  public var json: JSONText {
    if reports.count == 1, refusals.isEmpty { return reports[0].json }
    var members: [(String, JSONText)] = [("schema", .string("rules-check.audit/1"))]
    if !reports.isEmpty { members.append(("audits", .array(reports.map { $0.json }))) }
    return .object(members + refusals.errorMembers)
  }

  /// The report for wikis, a part for each file.
  public var markdown: String {
    let refused = refusals.refusedMarkdown
    return (reports.map { AuditMarkdown($0).text } + (refused.isEmpty ? [] : [refused]))
      .joined(separator: "\n")
  }
}
