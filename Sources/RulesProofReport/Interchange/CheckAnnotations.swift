import RulesLang
package import RulesReport
import RulesStyle

extension CheckReport {
  /// All findings as annotations.
  package var annotations: [Annotation] {
    var found = refusals
    found += notices.map { $0.annotation }
    found += silences.map { $0.annotation }
    for file in files {
      let remarks =
        file.diagnostics.map { Annotation($0, in: file.source) }
        + file.silenced.map { Self.silenced($0, in: file.source) }
      let databases = file.databases.shown([])
      found += remarks.map { remark in
        var remark = remark
        if !databases.isEmpty { remark.remarks.append("for the \(databases.databaseWords)") }
        return remark
      }
    }
    return found
  }

  /// Returns an annotation for a silenced finding.
  private static func silenced(_ finding: Diagnostic, in source: SourceText) -> Annotation {
    var remark = Annotation(finding, in: source)
    remark.message =
      "1 \(finding.severity.word) silenced: \(finding.code.name): \(finding.message)"
    remark.severity = .info
    remark.code = "silenced"
    remark.subject.append(finding.code.name)
    return remark
  }

  /// The kinds of findings, for SARIF.
  package static let kinds: [SARIFReport.Rule] =
    Lints.all.map { lint in
      var severity = Diagnostic.Severity.warning
      if case .on(let level) = lint.level { severity = level }
      return SARIFReport.Rule(code: lint.code.name, summary: lint.summary, severity: severity)
    } + ProjectNotice.kinds + [
      NewSilence.kind, NoticeKind.silenced.rule,
    ]
}
