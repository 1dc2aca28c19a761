/// The audits of all rules files of a project.
package struct AuditReports: Sendable {
  /// The audits, in the order of the files.
  package var reports: [AuditReport]
  /// Why a file could not be audited, in order.
  package var refusals: [Annotation]

  /// Some audits, and why there are not more.
  package init(_ reports: [AuditReport], refusals: [Annotation]) {
    self.reports = reports
    self.refusals = refusals
  }

  /// The same with each file called what a function says.
  package func naming(_ name: (String) -> String) -> AuditReports {
    AuditReports(
      reports.map { $0.naming(name) }, refusals: refusals.map { $0.naming(name) })
  }
}
