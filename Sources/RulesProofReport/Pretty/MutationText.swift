import RulesEval
package import RulesLang
import RulesProof
import RulesReport

/// The report of mutation testing as text: the surviving mutants, and the score.
package struct MutationText {
  private let palette: Palette
  private let isQuiet: Bool

  /// Creates a report in the colours of a palette; when quiet it is empty for a good score.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// Returns the survivors of every file, then the score.
  package func render(_ report: MutationReport) -> String {
    if isQuiet, report.conclusion == .success { return "" }
    var text = ""
    for file in report.files {
      let counts = MutationReport.Counts([file])
      text += palette.paint(Printable.text(file.path), as: .strong) + file.database.suffix
      text += "  \(MutationReport.percent(counts.score)) %  "
      text += "\(counts.killed) killed, \(counts.survived) survived, "
      text += "\(counts.equivalent) equivalent, \(counts.unknown) undecided\n"
      text += failing(file)
      // Survivors ask for tests; parts that decide nothing come after them.
      let mutants = file.mutants.reduce("") { $0 + render($1, in: file) }
      let idle = idle(file)
      text += mutants + (mutants.isEmpty || idle.isEmpty ? "" : "\n") + idle
    }
    let score = report.counts.score
    let shown = MutationReport.percent(score) + " %"
    let style: Palette.Style =
      score >= report.thresholds.high
      ? .good : score >= report.thresholds.low ? .warning : .error
    return text + "mutation score " + palette.paint(shown, as: style)
      + (score < report.thresholds.breaking
        ? ", below \(MutationReport.percent(report.thresholds.breaking)) %\n" : "\n")
  }

  /// Returns the tests that fail on the unchanged rules.
  private func failing(_ file: MutationReport.File) -> String {
    file.failing.reduce("") { text, name in
      text + "  " + palette.paint("FAILED", as: .error)
        + "  \(Printable.text(name)): this test already fails on the unchanged rules; fix it first\n"
    }
  }

  /// Returns the parts of the rules that are proved to do nothing: statements, and in other statements
  /// operands of `&&` and `||`.
  private func idle(_ file: MutationReport.File) -> String {
    let source = file.source
    let equivalent = file.mutants.compactMap { mutant -> Mutation? in
      if case .equivalent = mutant.fate { return mutant.edit }
      return nil
    }
    let statements = equivalent.filter { $0.mutator == .removeStatement }
    var text = ""
    for edit in equivalent {
      let line = source.line(of: edit.range.start)
      switch edit.mutator {
      case .removeStatement:
        text +=
          "  line \(line) never decides anything: all requests are decided the same without "
          + "it\n"
      case .removeOperand
      where !statements.contains(where: { $0.range.contains(edit.range.start) }):
        let summary = Printable.text(edit.summary)
        text += "  line \(line): \(summary), and all requests are decided the same\n"
      default: break
      }
    }
    return text
  }

  private func render(_ mutant: MutationReport.Mutant, in file: MutationReport.File) -> String {
    let word: String
    switch mutant.fate {
    case .survived: word = palette.paint("SURVIVED", as: .error)
    case .unknown: word = palette.paint("UNDECIDED", as: .warning)
    case .killed, .equivalent, .invalid: return ""
    }
    let source = file.source
    let place = source.position(of: mutant.edit.range.start)
    let name = Printable.text(file.path)
    var text = "\n\(word)  \(name):\(place.line):\(place.column): "
    text += Printable.text(mutant.edit.summary) + "\n"
    text += Self.change(mutant.edit, in: source)
    for reason in mutant.reasons(in: source) { text += "  undecided: \(Printable.text(reason))\n" }
    guard let test = mutant.test else { return text }
    if let sentence = mutant.sentence { text += "  \(Printable.text(sentence))\n" }
    return text + "  this test would notice:\n  \(JSONText(test).compact)\n"
  }

  /// Returns the changed lines before and after a change.
  private static func change(_ edit: Mutation, in source: SourceText) -> String {
    let first = source.line(of: edit.range.start)
    let last = source.line(of: edit.range.end)
    var text = ""
    for line in first...last {
      text += "  - " + Printable.text(source.string(source.lineRange(line))) + "\n"
    }
    // Only the changed lines are made, not the whole file: a long file can have thousands of changes.
    let (head, tail) = (source.lineRange(first), source.lineRange(last))
    let changed =
      source.string(SourceRange(start: head.start, end: edit.range.start)) + edit.replacement
      + source.string(SourceRange(start: edit.range.end, end: max(edit.range.end, tail.end)))
    for line in changed.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = line.last == 0x0D ? line.dropLast() : line
      text += "  + " + Printable.text(String(decoding: line, as: UTF8.self)) + "\n"
    }
    return text
  }
}
