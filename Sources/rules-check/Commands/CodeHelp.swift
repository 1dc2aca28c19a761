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

  private static var list: String {
    "lint:\n" + Help.table(Lints.all.map { ($0.code.name, "\($0.summary) (\($0.level.word))") })
      + "\ncompiler:\n"
      + Help.table(CodePage.table.map { ($0.code.name, $0.summary) })
  }
}
