// Google's compiler only warns of names that do not exist and of types that cannot fit, and deploys the
// rules. What they stand in never grants, so `check` takes them for errors unless a level says otherwise;
// and so it takes rules that are too long for production, and too long to be looked through.

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
