import RulesLang

extension CheckReport {
  /// Everything found, for reports that other programs read.
  package var annotations: [Annotation] {
    refusals + files.flatMap { file in file.diagnostics.map { Annotation($0, in: file.source) } }
  }

  /// What SARIF says about the kinds of findings.
  package static let kinds: [SARIFReport.Rule] = Lints.all.map { lint in
    var severity = Diagnostic.Severity.warning
    if case .on(let level) = lint.level { severity = level }
    return SARIFReport.Rule(code: lint.code.name, summary: lint.summary, severity: severity)
  }
}
