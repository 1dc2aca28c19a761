import RulesEval
import RulesLang

/// Writes a first suite as JSON with comments.
struct FirstSuiteText {
  private let entries: [FirstSuite.Entry]
  /// The comments above the suite, one a line.
  private let remarks: [String]
  private let time: Timestamp
  private let rules: String
  private let database: DatabaseName

  /// Prepares to write entries; `rules` is the path of the rules from the suite's folder.
  init(
    _ entries: [FirstSuite.Entry], remarks: [String], time: Timestamp, rules: String,
    database: DatabaseName = .standard
  ) {
    self.database = database
    self.entries = entries
    self.remarks = remarks
    self.time = time
    self.rules = rules
  }

  /// The text of the file.
  var text: String {
    let names = [SampleRequests.user] + others + [SampleRequests.stranger]
    let named = names.map { JSONText.string(String($0)).compact }.map { "\($0): \($0)" }
    var text = remarks.reduce("") { $0 + "// \($1)\n" }
    text += """
      {
        "rules": \(JSONText.string(rules).compact),\(databaseLine)
        "time": \(JSONText.string(time.description).compact),
        "users": { \(named.joined(separator: ", ")) },
        "tests": [

      """
    let tests = SuiteTestText(users: names.map { Self.user($0) }, time: time)
    for entry in entries {
      text += "    // \(Printable.text(entry.title))\n"
      for note in entry.notes { text += "    // \(note)\n" }
      for test in entry.tests { text += "    " + tests.text(test) + ",\n" }
    }
    return text + "  ]\n}\n"
  }

  /// The line that names the database; empty for `(default)`.
  private var databaseLine: String {
    database.isStandard
      ? "" : "\n  \"database\": \(JSONText.string(String(database.text)).compact),"
  }

  /// The users with access in some test, besides the usual one.
  private var others: [Text] {
    let texts = entries.flatMap { $0.tests }.map { JSONText($0).compact }
    return SampleRequests.others.filter { name in
      let user = "\"as\":" + JSONText(Self.user(name).principal).compact
      return texts.contains { $0.contains(user) }
    }
  }

  private static func user(_ name: Text) -> SuiteTestText.User {
    SuiteTestText.User(name: name, principal: SuiteWriter.principal(Principal(uid: name)))
  }
}
