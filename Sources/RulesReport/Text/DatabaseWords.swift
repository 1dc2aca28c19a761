import RulesLang

extension [DatabaseName] {
  /// The databases that reports name beside rules: `names` where the project has several, else those that are
  /// not `(default)`.
  package func shown(_ names: [String]) -> [String] {
    names.isEmpty && contains { !$0.isStandard } ? map { String($0.text) } : names
  }
}

extension DatabaseName {
  /// The database's name, for use after the name of a rules file; empty for `(default)`.
  package var suffix: String { isStandard ? "" : ", database " + Printable.text(String(text)) }

  /// The database in parentheses behind a sentence; nothing of `(default)`.
  package var mark: String { isStandard ? "" : " (database \(String(text)))" }
}

extension [String] {
  /// Names of databases in words: "database (default)", "databases second, third".
  package var databaseWords: String {
    (count == 1 ? "database " : "databases ") + Printable.text(joined(separator: ", "))
  }
}
