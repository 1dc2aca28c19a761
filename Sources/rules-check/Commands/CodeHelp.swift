import RulesHost
import RulesLang

/// The pages about the codes of the compiler and the lints.
enum CodeHelp {
  /// The codes that there are pages about.
  static var codes: [String] { (Code.all + Lints.all.map(\.code)).map(\.name) }

  /// The page about a code, or the list of them all for `codes`; nil if there is no such code.
  static func page(_ name: String) -> String? {
    name == "codes" ? list : CodePage.named(name)?.markdown ?? Lints.named(name)?.page
  }

  /// What a code of the compiler says, in a sentence.
  static func summary(of code: Code) -> String {
    CodePage.named(code.name).map { firstSentence($0.meaning) } ?? "A code of the compiler."
  }

  private static var list: String {
    "lint:\n" + Help.table(Lints.all.map { ($0.code.name, "\($0.summary) (\($0.level.word))") })
      + "\ncompiler:\n"
      + Help.table(CodePage.table.map { ($0.code.name, firstSentence($0.meaning)) })
  }

  private static func firstSentence(_ text: String) -> String {
    guard let stop = text.firstRange(of: ". ") else { return text }
    return String(text[..<stop.lowerBound]) + "."
  }
}
