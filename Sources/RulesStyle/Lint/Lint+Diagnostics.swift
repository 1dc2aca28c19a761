public import RulesLang

// The diagnostics of `ignore` comments. The text of a lint's finding is in the lint's file.

extension Code {
  /// An `ignore` comment without a finding to silence, or without a code.
  public static let unusedIgnore = Code("unused-ignore")
}

extension Diagnostic {
  static func unusedIgnore(_ ignore: IgnoreComment) -> Diagnostic {
    var diagnostic = finding(
      "`\(ignore.code)` is not found on line \(ignore.line), so there is nothing to ignore",
      at: ignore.range, help: "remove the comment, or move it to the line before the finding")
    diagnostic.code = .unusedIgnore
    diagnostic.origin = .lint
    return diagnostic
  }

  static func unknownIgnore(_ ignore: IgnoreComment, known: [Code]) -> Diagnostic {
    let nearest = Spelling.nearest(to: ignore.code, among: known.map { $0.name })
    let message =
      ignore.code.isEmpty
      ? "`ignore` needs the code of a finding"
      : "there is nothing called `\(ignore.code)` to ignore"
    var diagnostic = finding(
      message, at: ignore.range,
      help: nearest.map { "did you mean `\($0)`?" } ?? "// rules-check: ignore CODE reason")
    diagnostic.code = .unusedIgnore
    diagnostic.origin = .lint
    return ignore.code.isEmpty ? diagnostic : diagnostic.fixing(with: nearest)
  }

  static func formerName(_ ignore: IgnoreComment, present: String) -> Diagnostic {
    var diagnostic = finding(
      "`\(ignore.code)` is called `\(present)` now", at: ignore.range,
      help: "write: // rules-check: ignore \(present) REASON")
    diagnostic.severity = .info
    diagnostic.code = .unusedIgnore
    diagnostic.origin = .lint
    return diagnostic.fixing(with: present)
  }

  static func ignoreWithoutReason(_ ignore: IgnoreComment) -> Diagnostic {
    var diagnostic = finding(
      "`\(ignore.code)` is ignored without a reason", at: ignore.range,
      help: "say why after the code: // rules-check: ignore \(ignore.code) REASON")
    diagnostic.severity = .info
    diagnostic.code = .unusedIgnore
    diagnostic.origin = .lint
    return diagnostic
  }
}
