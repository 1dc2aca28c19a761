extension SourceText {
  /// Where the tokens of the text stand, in order; blanks and comments are between them.
  public var tokenRanges: [SourceRange] {
    Lexer.tokens(of: self).tokens.filter { $0.kind != .endOfFile }.map { $0.range }
  }
}
