// Google's compiler only warns of names that do not exist and of types that cannot fit, and deploys the
// rules. What they stand in never grants, so `check` takes them for errors unless a level says otherwise.

extension Code {
  /// Whether `check` takes the compiler's warning for an error.
  var isStrict: Bool {
    [
      .unknownVariable, .unknownFunction, .unknownOperation, .argumentCount, .typeMismatch,
      .conditionType,
    ].contains(self)
  }
}

extension Diagnostic {
  /// A warning of the compiler as it is told unless a level says how loud it is.
  var asStrict: Diagnostic {
    guard code.isStrict, severity == .warning else { return self }
    var copy = self
    copy.severity = .error
    return copy.noting(
      "Google's compiler only warns of this; with `--level \(code.name)=warning` it is a warning here, too"
    )
  }
}
