/// Runs the lints over checked rules, and lets `ignore` comments silence what they name.
public struct Linter: Sendable {
  private let levels: [Code: LintLevel]

  /// Makes a linter; a lint that `levels` does not name keeps its own level. The levels of codes
  /// that are the compiler's change how loud its warnings are.
  public init(levels: [Code: LintLevel] = [:]) { self.levels = levels }

  /// Everything there is to say about rules that compile: the compiler's warnings and the lints'
  /// findings, sorted by place.
  ///
  /// `proved` are the findings of the lints that take proofs; nil if nobody looked for them. What
  /// they say of a place replaces what a lint guesses of it.
  public func run(_ checked: Checked, proved: [Diagnostic]? = nil) -> [Diagnostic] {
    var found: [Diagnostic] = checked.warnings.compactMap { warning in
      guard let level = levels[warning.code] else { return warning.asStrict }
      guard case .on(let severity) = level else { return nil }
      var copy = warning
      copy.severity = severity
      return copy
    }
    // Lints compare statements with each other; no project can use a file of more than this.
    if checked.ruleset.source.bytes.count <= Limits.documentedSourceBytes {
      found += findings(in: LintSubject(checked))
    }
    found += (proved ?? []).compactMap { levelled($0) }
    let known = Set((proved ?? []).filter { $0.code != OpenQuestion.lint.code }.map { $0.range })
    let guesses = [RedundantAllow.lint.code, AbsentResource.lint.code]
    found.removeAll { finding in
      guesses.contains(finding.code) && known.contains(finding.range)
        || finding.code == ContradictoryTypes.lint.code
          && (proved ?? []).contains { $0.tells(of: finding.range) }
    }
    return silence(found, in: checked.ruleset.source, areProvedKnown: proved != nil)
      .sortedByPlace().limited()
  }

  private func levelled(_ finding: Diagnostic) -> Diagnostic? {
    guard let lint = Lints.all.first(where: { $0.code == finding.code }),
      case .on(let severity) = levels[lint.code] ?? lint.level
    else { return nil }
    var copy = finding
    // What a proof shows and may be meant so stays a remark where nobody says otherwise.
    if finding.severity != .info || levels[lint.code] != nil { copy.severity = severity }
    copy.origin = .lint
    return copy
  }

  private func findings(in subject: LintSubject) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for lint in Lints.all {
      guard case .on(let severity) = levels[lint.code] ?? lint.level else { continue }
      for var finding in lint.find(subject) {
        finding.code = lint.code
        // What a lint itself calls an error stays one where nobody says otherwise.
        if finding.severity != .error || levels[lint.code] != nil { finding.severity = severity }
        finding.origin = .lint
        found.append(finding)
      }
    }
    return found
  }

  /// Takes out what a comment silences, and reports comments that silence nothing.
  private func silence(
    _ found: [Diagnostic], in source: SourceText, areProvedKnown: Bool
  ) -> [Diagnostic] {
    let proved = Lints.all.filter { $0.isProved }.map { $0.code.name }
    // Whether something silences a finding that nobody looked for is not known.
    let ignores = IgnoreComment.find(in: source).filter {
      areProvedKnown || !proved.contains(Lints.presentName($0.code))
    }
    guard !ignores.isEmpty else { return found }
    var isUsed = Array(repeating: false, count: ignores.count)
    let firstLine = Lexer.tokens(of: source).tokens.first.map { source.line(of: $0.range.start) }
    let kept = found.filter { diagnostic in
      let line = diagnostic.range.map { source.line(of: $0.start) } ?? firstLine
      var isSilenced = false
      for (index, ignore) in ignores.enumerated()
      where Lints.presentName(ignore.code) == diagnostic.code.name && ignore.line == line {
        isUsed[index] = true
        isSilenced = true
      }
      return !isSilenced
    }
    var reports: [Diagnostic] = []
    guard case .on(let severity) = levels[.unusedIgnore] ?? UnusedIgnore.lint.level else {
      return kept
    }
    for (index, ignore) in ignores.enumerated() {
      guard var report = report(ignore, isUsed: isUsed[index]) else { continue }
      if report.severity != .info { report.severity = severity }
      reports.append(report)
    }
    return kept + reports
  }

  private func report(_ ignore: IgnoreComment, isUsed: Bool) -> Diagnostic? {
    let known = Code.all + Lints.all.map { $0.code }
    let present = Lints.presentName(ignore.code)
    if !known.contains(where: { $0.name == present }) {
      return .unknownIgnore(ignore, known: known)
    }
    if !isUsed { return .unusedIgnore(ignore) }
    if ignore.code != present { return .formerName(ignore, present: present) }
    return ignore.hasReason ? nil : .ignoreWithoutReason(ignore)
  }
}

extension Diagnostic {
  /// Whether one of the further places has a range inside.
  fileprivate func tells(of range: SourceRange?) -> Bool {
    guard let range else { return false }
    return related.contains { $0.range.start <= range.start && range.end <= $0.range.end }
  }
}
