// Warnings that `check` treats as errors. Google's compiler only warns of names that do not exist and of
// types that cannot fit, and deploys the rules. An expression with one of these never grants, so the warning
// is an error unless a level is configured. Rules that are too long for production, or too long to be
// analysed, are errors too.

extension Code {
  /// True if `check` treats the warning as an error.
  package var isStrict: Bool {
    [
      .unknownVariable, .unknownFunction, .unknownOperation, .argumentCount, .typeMismatch,
      .conditionType, .limitSource,
    ].contains(self)
  }
}

extension Diagnostic {
  /// The diagnostic as `check` shows it by default, when no level is configured for its code.
  package var asStrict: Diagnostic {
    guard code.isStrict, severity == .warning, !isUnreached else { return self }
    var copy = self
    copy.severity = .error
    let level = "with `--level \(code.name)=warning` it is a warning"
    return copy.noting(
      code == .limitSource
        ? "production refuses such rules; \(level)"
        : "Google's compiler only warns of this; \(level) here, too")
  }
}
