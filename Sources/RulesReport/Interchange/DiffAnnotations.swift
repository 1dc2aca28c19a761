import RulesEncoding
import RulesEval
import RulesLang
import RulesProof

extension DiffReport {
  /// The kinds of annotations.
  package static let kinds = [
    SARIFReport.Rule(
      code: "access-loosened", summary: "something that was denied is allowed now",
      severity: .error),
    SARIFReport.Rule(
      code: "access-tightened", summary: "something that was allowed is denied now",
      severity: .info),
    SARIFReport.Rule(
      code: "access-undecided", summary: "it is not known what the change does",
      severity: .warning),
  ]

  /// The differences as remarks on the newer file.
  package var annotations: [Annotation] {
    refusals
      + pairs.flatMap { pair in
        pair.paths.flatMap { path in
          path.differences.map { annotation(of: $0, at: path, in: pair) }
            + path.methods.filter { $0.isOpen }.map { undecided($0, at: path, in: pair) }
        }
      }
  }

  private func annotation(
    of difference: AccessChange, at path: PathDiff, in pair: Pair
  ) -> Annotation {
    let witness = difference.witnesses[0]
    let allow = difference.isLoosened ? witness.allowing : witness.refusing.first
    let severity: Diagnostic.Severity =
      difference.isLoosened
      ? (isFailure(isLoosened: true) ? .error : .warning)
      : (isFailure(isLoosened: false) ? .error : .info)
    var annotation = Annotation(
      file: pair.new.source.name,
      place: allow.map { Annotation.Place(pair.new[$0].keyword, in: pair.new.source) },
      severity: severity, code: difference.isLoosened ? "access-loosened" : "access-tightened",
      message: difference.sentence(path.path))
    annotation.remarks = [
      "for example: " + witness.sentence,
      difference.isLoosened
        ? "if you did not intend this, add this test and fix the rules: "
          + JSONText(witness.closingTest).compact
        : "the test that shows it: " + JSONText(witness.test(of: difference)).compact,
    ]
    if let place = annotation.place {
      annotation.lineText = pair.new.source.string(pair.new.source.lineRange(place.line))
    }
    return annotation
  }

  private func undecided(
    _ method: MethodDiff, at path: PathDiff, in pair: Pair
  ) -> Annotation {
    let doubt = method.doubts.first
    let place = doubt.flatMap { doubt in
      doubt.side == .new ? doubt.doubt.range : nil
    }
    return Annotation(
      file: pair.new.source.name,
      place: place.map { Annotation.Place($0, in: pair.new.source) }, severity: .warning,
      code: "access-undecided",
      message: method.openness(of: path.path), remarks: doubt.map { [$0.doubt.reason] } ?? [])
  }
}
