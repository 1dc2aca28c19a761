package import RulesLang
package import RulesReport

/// The audits of all rules files of a project.
package struct AuditReports: Sendable {
  /// The audits, in the order of the files.
  package var reports: [AuditReport]
  /// Errors of files that could not be audited, in order.
  package var refusals: [Annotation]
  /// Notices about rules that are deployed and not audited, or audited and not deployed.
  package var notices: [ProjectNotice]

  /// Creates the report of some audits.
  package init(
    _ reports: [AuditReport], refusals: [Annotation], notices: [ProjectNotice] = []
  ) {
    self.reports = reports
    self.refusals = refusals
    self.notices = notices
  }

  /// Returns the notices as text; when quiet only warnings.
  package func noticeText(_ palette: Palette, isQuiet: Bool) -> String {
    notices.text(palette, isQuiet: isQuiet)
  }

  /// Returns the reports with file names mapped by a function.
  package func naming(_ name: (String) -> String) -> AuditReports {
    AuditReports(
      reports.map { $0.naming(name) }, refusals: refusals.map { $0.naming(name) },
      notices: notices.map { $0.naming(name) })
  }
}
