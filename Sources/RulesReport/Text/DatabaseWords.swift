import RulesLang

extension [DatabaseName] {
  /// Returns the databases that reports name beside rules: `names`, which are empty unless the project has
  /// several; if they are, the rules' own, unless that is only `(default)`.
  package func shown(_ names: [String]) -> [String] {
    names.isEmpty && contains { !$0.isStandard } ? map { String($0.text) } : names
  }
}

extension DatabaseName {
  /// The database's name, for use after the name of a rules file; empty for `(default)`.
  package var suffix: String { isStandard ? "" : ", database " + Printable.text(String(text)) }

  /// The database in parentheses, for use behind a sentence; empty for `(default)`.
  package var mark: String { isStandard ? "" : " (database \(String(text)))" }
}

extension [String] {
  /// Names of databases in words: "database (default)", "databases second, third".
  package var databaseWords: String {
    (count == 1 ? "database " : "databases ") + Printable.text(joined(separator: ", "))
  }
}
