import RulesLang

/// A text in which a test marks places with `‸`.
struct MarkedText {
  /// The text without the marks.
  let source: SourceText
  /// The offsets of the marks.
  let places: [Int]

  /// Reads a text with marks.
  init(_ text: String, name: String = "a.rules") {
    var places: [Int] = []
    var plain = ""
    for (index, part) in text.split(separator: "‸", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { places.append(plain.utf8.count) }
      plain += part
    }
    source = SourceText(name: name, plain)
    self.places = places
  }

  /// Statements inside of a match block of a whole file.
  static func block(_ statements: String) -> MarkedText {
    MarkedText(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /notes/{note} {
      \(statements)
          }
        }
      }

      """)
  }

  /// The text that a range covers.
  func text(_ range: SourceRange?) -> String? { range.map { source.string($0) } }
}
