public import RulesLang

extension Code {
  /// The default level of the code.
  public var usualLevel: LintLevel {
    if isStrict { return .on(.error) }
    return Lints.all.first { $0.code == self }?.level
      ?? .on(CodePage.named(name)?.severity ?? .warning)
  }
}
