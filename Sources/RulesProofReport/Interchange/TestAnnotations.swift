import RulesEval
import RulesLang
import RulesProof
package import RulesReport

/// The problems of a run as annotations on the lines of suites and rules.
package struct TestAnnotations {
  private let report: TestReport

  /// Creates the annotations of a report.
  package init(_ report: TestReport) { self.report = report }

  /// The kinds of annotations, for reports that list them.
  package static let kinds =
    [
      SARIFReport.Rule(
        code: "test-failed", summary: "The rules do not decide as a test expects",
        severity: .error),
      SARIFReport.Rule(
        code: "test-unsupported", summary: "A test needs something that is not modelled",
        severity: .error),
      SARIFReport.Rule(
        code: "test-by-chance", summary: "The emulator decides a test by chance", severity: .warning
      ),
      SARIFReport.Rule(
        code: "impossible-data", summary: "A suite has data that Firestore does not have",
        severity: .warning),
      SARIFReport.Rule(
        code: "missing-asker", summary: "Tests do not name a client", severity: .warning),
      SARIFReport.Rule(
        code: "literal-variable",
        summary: "A path in a suite contains a variable such as {uid}",
        severity: .warning),
      SARIFReport.Rule(
        code: "claim-violated", summary: "A claim about all requests does not hold",
        severity: .error),
      SARIFReport.Rule(
        code: "claim-proved", summary: "A claim is proved that is expected not to be",
        severity: .error),
      SARIFReport.Rule(
        code: "claim-undecided", summary: "A claim could not be decided", severity: .warning),
      SARIFReport.Rule(
        code: "claim-vacuous", summary: "A claim covers no request at all", severity: .error),
      SARIFReport.Rule(
        code: "claim-empty", summary: "A claim holds, but perhaps covers no request",
        severity: .warning),
      SARIFReport.Rule(
        code: "claim-field", summary: "A claim is about a field that nothing else mentions",
        severity: .warning),
      SARIFReport.Rule(
        code: "emulator-disagrees", summary: "The official emulator decides differently",
        severity: .error),
      SARIFReport.Rule(
        code: "coverage-too-low", summary: "The tests cover less of the rules than required",
        severity: .error),
      SARIFReport.Rule(
        code: "cost-too-high", summary: "A request takes more of a limit than was allowed",
        severity: .error),
      SARIFReport.Rule(
        code: "emulator-silent", summary: "The official emulator decides none of the requests",
        severity: .error),
      SARIFReport.Rule(
        code: "decided-here", summary: "A statement that decided failed tests",
        severity: .info),
      SARIFReport.Rule(
        code: "not-covered", summary: "A part of the rules that no test covers", severity: .info),
    ] + ProjectNotice.kinds

  /// The problems, each as an annotation on the suite's lines.
  package var problems: [Annotation] {
    var annotations = report.refusals
    if let coverage = report.coverage, coverage.required != nil {
      annotations += coverage.untested.map { file in
        Annotation(
          file: file.path, severity: .error, code: "untested-rules",
          message: CoverageReport.complaint(of: file))
      }
    }
    annotations += report.notices.map { $0.annotation }
    if let coverage = report.coverage, let complaint = coverage.sumComplaint {
      annotations.append(
        Annotation(
          file: coverage.files.first?.path ?? "", severity: .error, code: "coverage-too-low",
          message: complaint))
    }
    annotations += (report.cost?.excesses ?? []).map { excess in
      Annotation(
        file: excess.file,
        place: .init(line: excess.line, column: 1, endLine: excess.line, endColumn: 1),
        severity: .error, code: "cost-too-high", message: excess.message, subject: [excess.subject])
    }
    for suite in report.suites {
      annotations += suite.warnings.map { Annotation($0, in: suite.source) }
      for claim in suite.claims { annotations += remarks(about: claim, in: suite) }
      if let replay = suite.replay, replay.isIdle {
        annotations.append(
          Annotation(
            file: suite.source.name, severity: .error, code: "emulator-silent",
            message: "the emulator decides none of the requests", remarks: replay.skipped))
      }
      for one in suite.replay?.disagreements ?? [] {
        annotations.append(
          Annotation(
            file: suite.source.name, severity: .error, code: "emulator-disagrees",
            message: one.name, remarks: ["rules-check: \(one.ours)", "emulator: \(one.emulator)"],
            subject: [one.name]))
      }
      for result in suite.results where !result.isPassed || result.isByChance {
        annotations.append(
          result.isPassed ? warning(about: result, in: suite) : remark(about: result, in: suite))
      }
    }
    return annotations
  }

  /// An annotation for each line of the rules on which failed tests depend.
  package var decidingLines: [Annotation] {
    var annotations: [Annotation] = []
    for suite in report.suites {
      for result in suite.results where !result.isPassed {
        for related in Self.related(to: result, in: suite) {
          let same = annotations.firstIndex {
            $0.file == related.file && $0.place?.line == related.place.line
              && $0.message == related.message
          }
          let test = "in \"\(result.test.displayName)\" (\(suite.source.name))"
          if let same {
            annotations[same].remarks.append(test)
          } else {
            annotations.append(
              Annotation(
                file: related.file, place: related.place, severity: .info, code: "decided-here",
                message: related.message, remarks: [test],
                subject: related.place.subject(in: suite.rules.ruleset.source)))
          }
        }
      }
    }
    return annotations
  }

  /// An annotation for each part of the rules that no test covers, if coverage was measured.
  package var gaps: [Annotation] {
    (report.coverage?.files ?? []).filter { !$0.isUntested }.flatMap { file in
      let source = file.rules.ruleset.source
      return file.coverage.gaps(in: file.rules).map { gap in
        let place = Annotation.Place(gap.range, in: source)
        return Annotation(
          file: file.path, place: place, severity: .info, code: "not-covered",
          message: "\(gap.gap.words): `\(SourceSnippet.text(gap.range, in: source))`",
          subject: [gap.gap.rawValue] + place.subject(in: source))
      }
    }
  }

  private func warning(about result: TestResult, in suite: TestReport.Suite) -> Annotation {
    Annotation(
      file: suite.source.name, place: .init(result.place, in: suite.source),
      severity: .warning, code: "test-by-chance",
      message: "\(result.test.displayName): passed by chance" + suite.rules.database.mark,
      remarks: result.remarks, subject: suite.subject(result.test.displayName))
  }

  private func remark(about result: TestResult, in suite: TestReport.Suite) -> Annotation {
    var remarks = Array(result.failures.dropFirst()) + [result.request]
    if let decision = result.decision {
      remarks += DenialReason(decision, in: suite.rules).sentences
    }
    let failure = result.failures.first ?? ""
    return Annotation(
      file: suite.source.name, place: .init(result.place, in: suite.source),
      severity: .error, code: result.decision == nil ? "test-unsupported" : "test-failed",
      message: "\(result.test.displayName): \(failure)" + suite.rules.database.mark,
      remarks: remarks, subject: suite.subject(result.test.displayName),
      related: Self.related(to: result, in: suite))
  }

  /// Returns the annotations of a claim: its problem, or for one with the expected verdict its notes.
  private func remarks(about result: ClaimResult, in suite: TestReport.Suite) -> [Annotation] {
    if !result.isPassed { return [remark(about: result, in: suite)] }
    let fields = result.unknownFields.map { $0.sentence }
    return [("claim-empty", result.provedRemarks), ("claim-field", fields)].flatMap {
      code, sentences in
      sentences.map { sentence in
        Annotation(
          file: suite.source.name, place: .init(result.claim.range, in: suite.source),
          severity: .warning, code: code,
          message: "\(result.claim.name): \(sentence)" + suite.rules.database.mark,
          remarks: result.claim.isNamed ? [result.claim.statement] : [],
          subject: suite.subject(result.claim.name))
      }
    }
  }

  private func remark(about result: ClaimResult, in suite: TestReport.Suite) -> Annotation {
    let statement = result.claim.isNamed ? [result.claim.statement] : []
    var remarks = statement + result.sentences + result.remarks
    if let counterexample = result.counterexample {
      remarks.append("the test that shows it today: " + JSONText(counterexample).compact)
    }
    if let closing = result.closingTest {
      remarks.append("the test that closes it: " + JSONText(closing).compact)
    }
    return Annotation(
      file: suite.source.name, place: .init(result.claim.range, in: suite.source),
      severity: result.conclusion == .undecided ? .warning : .error,
      code: "claim-\(result.word)",
      message: "\(result.claim.name): \(result.complaint ?? "")" + suite.rules.database.mark,
      remarks: remarks, subject: suite.subject(result.claim.name))
  }

  /// Returns the lines of the rules on which a decision depends: the statement that granted, the obstacles,
  /// or the block that nearly matched.
  private static func related(
    to result: TestResult, in suite: TestReport.Suite
  ) -> [Annotation.Related] {
    guard let decision = result.decision else { return [] }
    let rules = suite.rules.ruleset
    func related(_ range: SourceRange, saying message: String) -> Annotation.Related {
      Annotation.Related(
        file: suite.rulesPath, place: .init(range, in: rules.source), message: message)
    }
    if decision.isAllowed {
      return decision.accesses.compactMap { $0.tried.last }
        .map { related(rules[$0.allow].range, saying: "this statement grants") }
    }
    let reason = DenialReason(decision, in: suite.rules)
    if let nearest = reason.nearestMatch {
      return [related(rules[nearest.match].patternRange, saying: nearest.sentence(in: rules))]
    }
    return reason.obstacles.filter { $0.isEvaluated }
      .map { related(rules[$0.expression].range, saying: $0.sentence(in: rules)) }
  }
}

extension TestReport.Suite {
  /// Returns the texts that identify a test or claim of the suite by its name.
  fileprivate func subject(_ name: String) -> [String] { [name, String(rules.database.text)] }
}
