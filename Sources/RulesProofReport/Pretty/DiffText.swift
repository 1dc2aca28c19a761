import RulesEval
package import RulesLang
import RulesProof
import RulesReport

/// The report of a comparison as text.
package struct DiffText {
  private let palette: Palette
  private let isQuiet: Bool

  /// Creates a report in the colours of a palette; when quiet it has no equivalent parts.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// Returns every pair of files with its paths, and the number of each verdict.
  ///
  /// - Parameters:
  ///   - report: The results.
  ///   - databases: For each pair its databases, if there are several.
  package func render(_ report: DiffReport, for databases: [[String]] = []) -> String {
    let said =
      report.notices.text(palette, isQuiet: isQuiet) + report.silences.text(palette)
    if isQuiet, report.conclusion == .success { return said }
    let text = report.pairs.enumerated().reduce("") { text, pair in
      text + render(pair.element, for: databases.isEmpty ? [] : databases[pair.offset])
    }
    let counts = DiffVerdict.allCases.map { "\(report.count($0)) \($0.rawValue)" }
    let partial = report.pairs.flatMap { $0.paths }.flatMap { $0.methods }.count {
      $0.isPartial && $0.verdict != .undecided
    }
    var rest = partial > 0 ? "; \(partial) of them may have more differences" : ""
    if report.unchecked > 0 { rest += "; \(report.unchecked) not checked" }
    if report.unmanagedCount > 0 { rest += "; \(report.unmanagedCount) no longer managed" }
    if report.firstCount > 0 { rest += "; \(report.firstCount) with no rules before" }
    return text + said + counts.joined(separator: ", ") + rest + "\n"
  }

  private func render(_ pair: DiffReport.Pair, for databases: [String]) -> String {
    let names = [pair.old, pair.new].map { Printable.text($0.source.name) }
    let remark = pair.isFirst ? "no rules before" : pair.ending
    let change = "\(names[0]) -> \(names[1])" + (remark.map { " (\($0))" } ?? "")
    let databases = [pair.database].shown(databases)
    let place = databases.isEmpty ? "" : ", \(databases.databaseWords)"
    var text = palette.paint(change, as: .strong) + place + "\n\n"
    if let sentence = pair.unmanagedSentence {
      let said = palette.wrapped(sentence, after: 14, indent: 14)
      text += "  \(palette.paint("UNMANAGED", as: .error))   \(said)\n"
      return text
        + "  help: \(palette.wrapped(DiffReport.Pair.unmanagedHelp, after: 8, indent: 8))\n\n"
    }
    for path in pair.paths {
      if isQuiet, path.methods.allSatisfy({ $0.verdict == .equivalent }) { continue }
      text += render(path, in: pair) + "\n"
    }
    return text
  }

  private func render(_ path: PathDiff, in pair: DiffReport.Pair) -> String {
    var text = palette.paint(Printable.text(path.path), as: .strong) + "\n"
    for verdict in DiffVerdict.allCases {
      let methods = path.methods.filter { $0.verdict == verdict }.map { $0.method.word }
      if methods.isEmpty { continue }
      let word = pair.word(verdict).uppercased()
      let padding = String(repeating: " ", count: 12 - word.utf8.count)
      let painted =
        pair.isFirst && verdict != .undecided
        ? palette.paint(word, as: .info) : paint(word, as: verdict)
      text += "  \(painted)\(padding)\(methods.joined(separator: ", "))\n"
    }
    for isLoosened in [true, false] {
      for difference in path.differences where difference.isLoosened == isLoosened {
        text += "\n" + render(difference, at: path, in: pair)
      }
    }
    return text + openReasons(at: path, in: pair)
  }

  private func paint(_ word: String, as verdict: DiffVerdict) -> String {
    switch verdict {
    case .loosened, .changed: palette.paint(word, as: .error)
    case .undecided: palette.paint(word, as: .warning)
    case .tightened, .equivalent: palette.paint(word, as: .good)
    }
  }

  private func render(
    _ difference: AccessChange, at path: PathDiff, in pair: DiffReport.Pair
  ) -> String {
    let witness = difference.witnesses[0]
    let lines = pair.lines(of: witness, difference)
    let (old, new) = (Printable.text(pair.old.source.name), Printable.text(pair.new.source.name))
    let test = JSONText(
      difference.isLoosened
        ? witness.closingTest : witness.test(of: difference)
    ).compact
    if pair.isFirst {
      return "  - \(said(pair.sentence(difference, at: path)))\n"
        + "    \(new)\(Self.places(lines.new)) allows it\n"
    }
    let mark =
      difference.isLoosened
      ? "    If you did not intend this, add this test and fix the rules:\n" : ""
    return "  - \(said(difference.sentence(path.path)))\n"
      + "    \(old)\(Self.places(lines.old)) \(difference.isLoosened ? "denies" : "allows"): "
      + "\(new)\(Self.places(lines.new)) \(difference.isLoosened ? "allows" : "denies")\n"
      + "    \(said("for example: " + witness.sentence))\n"
      + mark + "    \(test)\n"
  }

  /// Returns a sentence after four columns, broken into lines that fit.
  private func said(_ sentence: String) -> String {
    palette.wrapped(Printable.text(sentence), after: 4, indent: 4)
  }

  private static func places(_ lines: [Int]) -> String {
    lines.isEmpty
      ? " (no statement)" : ":" + lines.map { "\($0)" }.joined(separator: ",")
  }

  private func openReasons(at path: PathDiff, in pair: DiffReport.Pair) -> String {
    var shown: [DiffOpenReason] = []
    for method in path.methods {
      for openReason in method.openReasons where !shown.contains(openReason) {
        shown.append(openReason)
      }
    }
    var text = ""
    for openReason in shown {
      let said = palette.wrapped(
        Printable.text("undecided: " + pair.sentence(openReason)), after: 2, indent: 4)
      text += "  \(said)\n"
    }
    if path.methods.contains(where: { $0.isPartial && $0.verdict != .undecided }) {
      text += "  there may be more differences than these\n"
    }
    return text.isEmpty ? "" : "\n" + text
  }
}
