import RulesLang

extension [String] {
  /// Names of databases in words: "database (default)", "databases second, third".
  var databaseWords: String {
    (count == 1 ? "database " : "databases ") + Printable.text(joined(separator: ", "))
  }
}
