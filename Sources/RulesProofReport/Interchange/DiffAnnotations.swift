import RulesEncoding
import RulesEval
import RulesLang
import RulesProof
package import RulesReport

extension DiffReport {
  /// The kinds of annotations.
  package static let kinds =
    [
      SARIFReport.Rule(
        code: "access-loosened", summary: "something that was denied is allowed now",
        severity: .error),
      SARIFReport.Rule(
        code: "access-tightened", summary: "something that was allowed is denied now",
        severity: .info),
      SARIFReport.Rule(
        code: "access-undecided", summary: "not decided what the change does",
        severity: .warning),
      SARIFReport.Rule(
        code: "access-unmanaged", summary: "rules in force are no longer managed here",
        severity: .error),
      SARIFReport.Rule(
        code: "access-first", summary: "what first rules allow", severity: .info),
      NewSilence.kind,
    ] + ProjectNotice.kinds

  /// The differences as annotations of the newer file.
  package var annotations: [Annotation] {
    var found = refusals
    found += notices.map { $0.annotation }
    found += silences.map { $0.annotation }
    found += pairs.compactMap { unmanaged($0) }
    for pair in pairs {
      for path in pair.paths {
        found += path.differences.map { annotation(of: $0, at: path, in: pair) }
        found += path.methods.filter { $0.isOpen }.map { undecided($0, at: path, in: pair) }
      }
    }
    return found
  }

  private func unmanaged(_ pair: Pair) -> Annotation? {
    guard let sentence = pair.unmanagedSentence, let reason = pair.ending else { return nil }
    let databases = pair.databases.isEmpty ? "" : ", \(pair.databases.databaseWords)"
    return Annotation(
      file: pair.new.source.name, severity: failOn == .none ? .warning : .error,
      code: "access-unmanaged",
      message: "\(pair.new.source.name) (\(reason)\(databases)) is \(sentence)",
      remarks: ["help: " + Pair.unmanagedHelp], help: Pair.unmanagedHelp,
      subject: pair.databases)
  }

  private func annotation(
    of difference: AccessChange, at path: PathDiff, in pair: Pair
  ) -> Annotation {
    let witness = difference.witnesses[0]
    let allow = difference.isLoosened ? witness.allowing : witness.refusing.first
    let isLoosened = difference.isLoosened
    var annotation = Annotation(
      file: pair.new.source.name,
      place: allow.map { Annotation.Place(pair.new[$0].keyword, in: pair.new.source) },
      severity: isLoosened
        ? (isFailure(isLoosened: true) ? .error : .warning)
        : (isFailure(isLoosened: false) ? .error : .info),
      code: isLoosened ? "access-loosened" : "access-tightened",
      message: difference.sentence(path.path) + pair.database.mark)
    if pair.isFirst {
      annotation.severity = failOn == .any ? .error : .info
      annotation.code = "access-first"
      annotation.message =
        "no rules before: \(pair.sentence(difference, at: path))" + pair.database.mark
    }
    annotation.remarks = [
      "for example: " + witness.sentence,
      difference.isLoosened && !pair.isFirst
        ? "if you did not intend this, add this test and fix the rules: "
          + JSONText(witness.closingTest).compact
        : "the test that shows it: " + JSONText(witness.test(of: difference)).compact,
    ]
    annotation.subject =
      [path.path, String(pair.database.text)] + difference.witnesses.map { $0.method.word }
      + (annotation.place?.subject(in: pair.new.source) ?? [])
    return annotation
  }

  private func undecided(
    _ method: MethodDiff, at path: PathDiff, in pair: Pair
  ) -> Annotation {
    let openReason = method.openReasons.first
    let place = openReason.flatMap { openReason in
      openReason.side == .new ? openReason.openReason.range : nil
    }
    return Annotation(
      file: pair.new.source.name,
      place: place.map { Annotation.Place($0, in: pair.new.source) }, severity: .warning,
      code: "access-undecided",
      message: method.openness(of: path.path) + pair.database.mark,
      remarks: openReason.map { [$0.openReason.reason] } ?? [],
      subject: [path.path, String(pair.database.text), method.method.word])
  }
}
