import RulesEncoding
package import RulesLang
import RulesStyle

// The wording of redundancy findings. "Decided" is meant literally: that a denial may become an
// error is stated explicitly.

extension RedundancyReport {
  /// The codes of findings, each of which rests on a proof.
  package static let provedCodes = [
    DeadAllow.lint, CoveredAllow.lint, RedundantCondition.lint, RedundantGuard.lint,
    RedundantParameter.lint, AbsorbedError.lint,
  ].map { $0.code }

  /// Returns the diagnostics of findings and undecided questions.
  package func diagnostics(in rules: Checked) -> [Diagnostic] {
    let wording = RedundancyWording(rules)
    let told = findings.filter { finding in
      // Reported once at its cause by `constant-function`.
      finding.expression.map { !rules.isCallOfConstant($0) } ?? true
    }
    let checks = told.filter { wording.isSignInCheck($0) }
    return told.filter { !wording.isSignInCheck($0) }.map { wording.diagnostic($0) }
      + [wording.signInChecks(checks)].compactMap { $0 }
      + OpenQuestions(reasonsOfQuestions, in: rules).all
  }

  /// Returns the diagnostic of one finding.
  package func diagnostic(of finding: RedundancyFinding, in rules: Checked) -> Diagnostic {
    RedundancyWording(rules).diagnostic(finding)
  }
}

/// The wording of findings.
private struct RedundancyWording {
  private let rules: Checked
  private var source: SourceText { rules.ruleset.source }

  init(_ rules: Checked) { self.rules = rules }

  func diagnostic(_ finding: RedundancyFinding) -> Diagnostic {
    var diagnostic: Diagnostic
    switch finding.kind {
    case .neverGrants(let allow, let methods):
      diagnostic = Diagnostic(
        DeadAllow.lint.code, severity: .warning,
        message: isWhole(allow, methods: methods)
          ? "this statement can never grant" : "this statement can never grant \(listed(methods))",
        at: finding.range, help: "remove it, or fix the condition")
      diagnostic.relate(
        finding.core, as: "never holds" + (finding.core.count > 1 ? " together" : ""))
    case .isBeyondLimit(_, let expressions):
      diagnostic = Diagnostic(
        DeadAllow.lint.code, severity: .warning,
        message: "this statement can never grant: with those before it at least \(expressions) "
          + "expressions are evaluated, and \(Limits.expressions) is the limit",
        at: finding.range,
        help: "merge statements with similar conditions, or put the most used ones first")
    case .isCovered(let allow, let methods): diagnostic = covered(finding, by: allow, for: methods)
    case .alwaysHolds:
      diagnostic = Diagnostic(
        RedundantCondition.lint.code, severity: .warning,
        message: "this condition never matters: every request is decided the same without it",
        at: finding.range, help: "use `if true`")
      diagnostic.relate(finding.core, as: "because of this")
    case .changesNothing, .changesNoDecision: diagnostic = part(finding)
    case .parameter(let function, _):
      let name = String(rules.ruleset[function].name.text)
      diagnostic = Diagnostic(
        RedundantParameter.lint.code, severity: .warning,
        message:
          "`\(source.quote(finding.range))` never matters: whatever `\(name)` is passed for "
          + "it, every request is decided the same", at: finding.range,
        help: "remove it, or check what it should check")
    case .needsAnError(let allow, let methods):
      diagnostic = Diagnostic(
        AbsorbedError.lint.code, severity: .warning,
        message:
          "this statement grants \(isWhole(allow, methods: methods) ? "" : listed(methods) + " ")"
          + "only where `||` ignores an error", at: finding.range,
        help: "remove the part that ends in an error, or check first that it can be read")
      diagnostic.relate(finding.core, as: "ends in an error whenever the statement grants")
    }
    return diagnostic
  }

  private func covered(
    _ finding: RedundancyFinding, by allow: AllowID, for methods: MethodSet
  ) -> Diagnostic {
    let line = source.line(of: rules.ruleset[allow].keyword.start)
    let what =
      isWhole(allow, methods: methods)
      ? "line \(line) never decides anything"
      : "for \(listed(methods)) line \(line) never decides anything"
    let lines = finding.core.map { "\(source.line(of: $0.range.start))" }
    // Without a cause it is only proved that the statement changes no decision.
    let reason =
      switch lines.count {
      case 0: "every request is decided the same without it"
      case 1: "line \(lines[0]) allows all of it"
      default: "lines \(lines.joined(separator: " and ")) together allow all of it"
      }
    var diagnostic = Diagnostic(
      CoveredAllow.lint.code, severity: .warning, message: "\(what): \(reason)",
      at: finding.range,
      help: "remove it, or make the other narrower if this was meant as a restriction")
    diagnostic.relate(finding.core, as: "allows it")
    return diagnostic.noting(
      "statements are alternatives: a stricter one restricts nothing")
  }

  private func part(_ finding: RedundancyFinding) -> Diagnostic {
    var diagnostic: Diagnostic
    if case .changesNothing = finding.kind, !isPresenceCheck(finding) {
      diagnostic = Diagnostic(
        RedundantCondition.lint.code, severity: .warning,
        message:
          "`\(source.quote(finding.range))` never matters: every request is decided the same "
          + "without it",
        at: finding.range, help: "remove it, or check what it should check")
    } else {
      var message = "`\(source.quote(finding.range))` changes no decision: without it "
      if case .changesNothing = finding.kind {
        message += "every request is decided the same"
      } else {
        message += "a denial may be an error, which also denies"
      }
      diagnostic = Diagnostic(
        RedundantGuard.lint.code, severity: .info, message: message, at: finding.range,
        help: "harmless, but it protects nothing")
    }
    let isEnough = finding.core.contains { !$0.isStatement }
    let others = isAlternative(finding) ? "allows it already" : "allows what it keeps out"
    diagnostic.relate(finding.core, as: isEnough ? "because of this" : others)
    return diagnostic
  }

  /// True if the part is an operand of `||`.
  private func isAlternative(_ finding: RedundancyFinding) -> Bool {
    guard case .operand(let chain, _)? = finding.removal,
      case .binary(.or, _, _) = rules.ruleset[chain].kind
    else { return false }
    return true
  }

  /// True for a redundant sign-in check.
  func isSignInCheck(_ finding: RedundancyFinding) -> Bool {
    isPart(finding) && finding.expression.map { rules.isSignInCheck($0) } ?? false
  }

  /// True for a redundant check that something exists.
  private func isPresenceCheck(_ finding: RedundancyFinding) -> Bool {
    isPart(finding) && finding.expression.map { rules.isPresenceCheck($0) } ?? false
  }

  private func isPart(_ finding: RedundancyFinding) -> Bool {
    switch finding.kind {
    case .changesNothing, .changesNoDecision: true
    case .neverGrants, .isBeyondLimit, .isCovered, .alwaysHolds, .parameter, .needsAnError: false
    }
  }

  /// Returns one diagnostic for all redundant sign-in checks; nil if there are none. Those that
  /// `signed-out-error` recommends, because they keep an error from deciding, are omitted.
  func signInChecks(_ findings: [RedundancyFinding]) -> Diagnostic? {
    let needless = findings.filter { finding in
      finding.expression.map { !rules.keepsErrorFromDeciding($0) } ?? true
    }
    guard let first = needless.first else { return nil }
    if needless.count == 1 { return diagnostic(first) }
    let lines = Set(needless.map { source.line(of: $0.range.start) }).sorted()
    var diagnostic = Diagnostic(
      RedundantGuard.lint.code, severity: .info,
      message: "\(needless.count) checks that somebody is signed in change no decision: without "
        + "them a denial may be an error, which also denies", at: first.range,
      help: "harmless, but the conditions after them protect without them")
    for finding in needless.dropFirst() {
      diagnostic = diagnostic.relating(
        finding.range, as: "changes no decision either", isPictured: false)
    }
    return diagnostic.noting("lines " + lines.map { "\($0)" }.joined(separator: ", "))
  }

  private func isWhole(_ allow: AllowID, methods: MethodSet) -> Bool {
    rules.methods[allow.index] == methods
  }

  private func listed(_ methods: MethodSet) -> String {
    let words = methods.methods.map { $0.word }
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Diagnostic {
  fileprivate mutating func relate(_ causes: [RedundancyFinding.Cause], as text: String) {
    for cause in causes { self = relating(cause.range, as: text) }
  }
}
