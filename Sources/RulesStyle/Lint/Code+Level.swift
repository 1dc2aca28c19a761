public import RulesLang

extension Code {
  /// The level of the code unless the project sets one.
  public var usualLevel: LintLevel {
    if isStrict { return .on(.error) }
    return Lints.all.first { $0.code == self }?.level
      ?? .on(CodePage.named(name)?.severity ?? .warning)
  }
}
