import RulesHost
import RulesLang
import RulesReport
import RulesStyle

/// The documentation of the compiler's and the lints' codes.
enum CodeHelp {
  /// The documented codes.
  static var codes: [String] {
    let known = (Code.all + Lints.all.map(\.code)).map(\.name)
    return known + notices.map(\.code)
  }

  /// The kinds of notices with pages of their own; rules of another service have a page among the compiler's.
  private static var notices: [NoticeKind] {
    NoticeKind.all.filter { CodePage.named($0.code) == nil }
  }

  /// Returns the page of a code, or the list of them all for `codes`; nil for an unknown code.
  static func page(_ name: String) -> String? {
    if name == "codes" { return list }
    return CodePage.named(name)?.markdown ?? Lints.named(name)?.page
      ?? notices.first { $0.code == name }?.page
  }

  private static var list: String {
    "lint:\n" + Help.table(Lints.all.map { ($0.code.name, "\($0.summary) (\($0.level.word))") })
      + "\ncompiler:\n"
      + Help.table(CodePage.table.map { ($0.code.name, $0.summary) })
      + "\nproject:\n"
      + Help.table(notices.map { ($0.code, "\($0.summary) (\($0.severity.word))") })
  }
}
