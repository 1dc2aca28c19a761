import RulesLang

extension ProjectNotice {
  /// The table of notices for SARIF.
  static let kinds = [
    SARIFReport.Rule(
      code: "untested-rules", summary: "Rules are deployed, and no suite tests them",
      severity: .warning),
    SARIFReport.Rule(
      code: "undeployed-rules", summary: "Rules are looked at that firebase.json does not deploy",
      severity: .warning),
    SARIFReport.Rule(
      code: "unchecked-rules", summary: "Rules are deployed, and check leaves them out",
      severity: .warning),
    SARIFReport.Rule(
      code: "empty-suite", summary: "A suite has no test, or a folder no suite",
      severity: .warning),
    SARIFReport.Rule(
      code: "foreign-service", summary: "Rules of another service are skipped", severity: .info),
  ]
}

extension NewSilence {
  /// The row for SARIF's table.
  static let kind = SARIFReport.Rule(
    code: code, summary: "Findings are silenced that were not before", severity: .warning)
}
