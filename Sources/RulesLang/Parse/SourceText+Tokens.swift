extension SourceText {
  /// The ranges of the text's tokens, in order; white space and comments are between them.
  public var tokenRanges: [SourceRange] {
    Lexer.tokens(of: self).tokens.filter { $0.kind != .endOfFile }.map { $0.range }
  }
}
