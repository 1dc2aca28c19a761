public import RulesLang

/// Runs the lints over checked rules, and applies `ignore` comments.
public struct Linter: Sendable {
  private let levels: [Code: LintLevel]
  private let heedsComments: Bool

  /// The findings of a linter.
  public struct Review: Sendable {
    /// Findings to report, sorted by place.
    public var told: [Diagnostic]
    /// Findings that a comment silences, or a level turns off although their code is on by default; with the
    /// severity they would have, sorted by place.
    public var silenced: [Diagnostic]
  }

  /// Creates a linter.
  ///
  /// - Parameters:
  ///   - levels: Levels of codes; others have their default level. For codes of the compiler they change the
  ///     severity of its warnings.
  ///   - heedsComments: False if `ignore` comments silence nothing.
  public init(levels: [Code: LintLevel] = [:], heedsComments: Bool = true) {
    self.levels = levels
    self.heedsComments = heedsComments
  }

  /// Returns the compiler's warnings and the lints' findings, sorted by place.
  ///
  /// `proved` are the findings of the lints that take proofs; nil if these were not searched. At one place
  /// they replace what a lint guesses.
  public func run(_ checked: Checked, proved: [Diagnostic]? = nil) -> [Diagnostic] {
    review(checked, proved: proved).told
  }

  /// Returns all findings, with the silenced ones beside them.
  public func review(_ checked: Checked, proved: [Diagnostic]? = nil) -> Review {
    review(checked, proved: proved, knowing: LintFacts())
  }

  /// Returns all findings, where `facts` confirm or refute some guesses of lints.
  ///
  /// - Parameter isComplete: False if more proofs follow, so that an `ignore` comment may still turn out to
  ///   silence something.
  package func review(
    _ checked: Checked, proved: [Diagnostic]?, knowing facts: LintFacts, isComplete: Bool = true
  ) -> Review {
    let subject =
      checked.ruleset.source.bytes.count <= Limits.documentedSourceBytes
      ? LintSubject(checked, facts: facts) : nil
    let wanted = find(in: checked, subject, proved, levels.mapValues { .some($0) })
    let off = levels.filter { $0.value == .off && $0.key.usualLevel != .off }
    var silenced: [Diagnostic] = []
    if !off.isEmpty {
      let all = off.mapValues { _ in LintLevel?.none }
      silenced = find(in: checked, subject, proved, all).filter { off[$0.code] != nil }
    }
    let (told, ignored) = silence(
      wanted, in: checked.ruleset.source, areProvedKnown: proved != nil && isComplete)
    return Review(
      told: told.sortedByPlace().limited(), silenced: (silenced + ignored).sortedByPlace())
  }

  /// Returns all findings at some levels; a code whose level is nil has its default level. Without a subject
  /// no lint runs: the file is too long to compare its statements with each other, and too long for any
  /// project to deploy.
  private func find(
    in checked: Checked, _ subject: LintSubject?, _ proved: [Diagnostic]?,
    _ levels: [Code: LintLevel?]
  ) -> [Diagnostic] {
    var found: [Diagnostic] = checked.warnings.compactMap { warning in
      guard let level = levels[warning.code] ?? nil else { return warning.asStrict }
      guard case .on(let severity) = level else { return nil }
      var copy = warning
      copy.severity = severity
      return copy
    }
    if let subject { found += findings(in: subject, levels) }
    found += (proved ?? []).compactMap { levelled($0, levels) }
    let known = Set((proved ?? []).filter { $0.code != OpenQuestion.lint.code }.map { $0.range })
    let guesses = [RedundantAllow.lint.code, AbsentResource.lint.code]
    found.removeAll { finding in
      guesses.contains(finding.code) && known.contains(finding.range)
        || finding.code == ContradictoryTypes.lint.code
          && (proved ?? []).contains { $0.tells(of: finding.range) }
    }
    return found
  }

  private func levelled(_ finding: Diagnostic, _ levels: [Code: LintLevel?]) -> Diagnostic? {
    guard let lint = Lints.all.first(where: { $0.code == finding.code }),
      case .on(let severity) = (levels[lint.code] ?? nil) ?? lint.level
    else { return nil }
    var copy = finding
    // A proved finding that may be intended keeps its severity unless the project sets a level.
    copy.severity = levels[lint.code] != nil ? severity : min(finding.severity, severity)
    copy.origin = .lint
    return copy
  }

  private func findings(
    in subject: LintSubject, _ levels: [Code: LintLevel?]
  ) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for lint in Lints.all {
      let asked = levels[lint.code] ?? nil
      guard case .on(let severity) = asked ?? lint.level else { continue }
      for var finding in lint.find(subject) {
        finding.code = lint.code
        // An error of a lint stays one unless the configuration sets a level.
        if finding.severity != .error || asked != nil { finding.severity = severity }
        finding.origin = .lint
        found.append(finding)
      }
    }
    return found
  }

  /// Removes the findings that a comment silences, and reports comments that silence nothing.
  private func silence(
    _ found: [Diagnostic], in source: SourceText, areProvedKnown: Bool
  ) -> (kept: [Diagnostic], silenced: [Diagnostic]) {
    let proved = areProvedKnown ? [] : Lints.all.filter { $0.isProved }.map { $0.code.name }
    // A comment may silence a finding that was not searched for.
    let unknown = proved + levels.filter { $0.value == .off }.map { $0.key.name }
    let ignores = IgnoreComment.find(in: source).filter {
      !unknown.contains(Lints.presentName($0.code))
    }
    guard !ignores.isEmpty else { return (found, []) }
    var isUsed = Array(repeating: false, count: ignores.count)
    let firstLine = Lexer.tokens(of: source).tokens.first.map { source.line(of: $0.range.start) }
    var (kept, silenced): ([Diagnostic], [Diagnostic]) = ([], [])
    for diagnostic in found {
      let line = diagnostic.range.map { source.line(of: $0.start) } ?? firstLine
      var isSilenced = false
      for (index, ignore) in ignores.enumerated()
      where Lints.presentName(ignore.code) == diagnostic.code.name && ignore.line == line {
        isUsed[index] = true
        isSilenced = true
      }
      if isSilenced && heedsComments {
        silenced.append(diagnostic)
      } else {
        kept.append(diagnostic)
      }
    }
    var reports: [Diagnostic] = []
    guard case .on(let severity) = levels[.unusedIgnore] ?? UnusedIgnore.lint.level else {
      return (kept, silenced)
    }
    for (index, ignore) in ignores.enumerated() {
      guard var report = report(ignore, isUsed: isUsed[index]) else { continue }
      if report.severity != .info { report.severity = severity }
      reports.append(report)
    }
    return (kept + reports, silenced)
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
  /// True if one of the further places has the range.
  fileprivate func tells(of range: SourceRange?) -> Bool {
    guard let range else { return false }
    return related.contains { $0.range.start <= range.start && range.end <= $0.range.end }
  }
}
