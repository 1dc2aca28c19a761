package import RulesLang
package import RulesReport

/// The audits of all rules files of a project.
package struct AuditReports: Sendable {
  /// The audits, in the order of the files.
  package var reports: [AuditReport]
  /// Why a file could not be audited, in order.
  package var refusals: [Annotation]
  /// Rules that are deployed and not audited, or audited and not deployed.
  package var notices: [ProjectNotice]

  /// Some audits, why there are not more, and what they are not about.
  package init(
    _ reports: [AuditReport], refusals: [Annotation], notices: [ProjectNotice] = []
  ) {
    self.reports = reports
    self.refusals = refusals
    self.notices = notices
  }

  /// The notices for people; when quiet only warnings.
  package func noticeText(_ palette: Palette, isQuiet: Bool) -> String {
    notices.text(palette, isQuiet: isQuiet)
  }

  /// The same with each file called what a function says.
  package func naming(_ name: (String) -> String) -> AuditReports {
    AuditReports(
      reports.map { $0.naming(name) }, refusals: refusals.map { $0.naming(name) },
      notices: notices.map { $0.naming(name) })
  }
}
