import RulesLang

extension Rules {
  /// A warning of the compiler about rules that compile.
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The stable name of its kind, on which `rules-check explain` has a page.
    public let code: String
    /// The mistake, in one line.
    public let message: String
    /// The line, from 1; nil for a warning about the whole file.
    public let line: Int?
    /// The column in characters, from 1; nil for a warning about the whole file.
    public let column: Int?
    /// The warning with the lines of the rules, ready to print.
    public let description: String

    /// Creates the warning of a diagnostic.
    init(_ diagnostic: Diagnostic, in source: SourceText) {
      let place = diagnostic.range.map { range in source.position(of: range.start) }
      code = diagnostic.code.name
      message = diagnostic.message
      line = place?.line
      column = place?.column
      description = TextRenderer().render(diagnostic, in: source)
    }
  }
}
