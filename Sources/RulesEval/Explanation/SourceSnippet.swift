public import RulesLang

/// Quotes source text inside sentences.
public enum SourceSnippet {
  private static let maximumLength = 90

  /// Returns a piece of source on one line: white space becomes single spaces, and a long piece loses its
  /// middle, from a dot or an operator to another one.
  public static func text(_ range: SourceRange, in source: SourceText) -> String {
    CodeExcerpt(collapsed(source.string(range))).withoutMiddle(longest: maximumLength)
  }

  /// Returns a whole text with white space as single spaces.
  public static func collapsed(_ text: String) -> String { string(blanksCollapsed(text)) }

  private static func blanksCollapsed(_ text: String) -> [Unicode.Scalar] {
    var characters: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      let isBlank = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
      if !isBlank {
        characters.append(scalar)
      } else if let last = characters.last, last != " " {
        characters.append(" ")
      }
    }
    return characters
  }

  private static func string(_ characters: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: characters)
    return String(text)
  }
}
