import RulesEval
import RulesLang

/// Writes a first suite down as JSON with comments.
struct FirstSuiteText {
  private let entries: [FirstSuite.Entry]
  /// What stands above the suite, a line each.
  private let remarks: [String]
  private let time: Timestamp
  private let rules: String

  /// Takes the tests, their time, and the path of the rules from the suite's folder.
  init(
    _ entries: [FirstSuite.Entry], remarks: [String], time: Timestamp, rules: String
  ) {
    self.entries = entries
    self.remarks = remarks
    self.time = time
    self.rules = rules
  }

  /// The file.
  var text: String {
    let users = [SampleRequests.user, SampleRequests.stranger].map { String($0) }
    let named = users.map { JSONText.string($0).compact }.map { "\($0): \($0)" }
    var text = remarks.reduce("") { $0 + "// \($1)\n" }
    text += """
      {
        "rules": \(JSONText.string(rules).compact),
        "time": \(JSONText.string(time.description).compact),
        "users": { \(named.joined(separator: ", ")) },
        "tests": [

      """
    for entry in entries {
      text += "    // \(Printable.text(entry.title))\n"
      for note in entry.notes { text += "    // \(note)\n" }
      for test in entry.tests { text += self.test(test) }
    }
    return text + "  ]\n}\n"
  }

  /// One test: its name, who does what, on what, and what is expected, each on a line.
  private func test(_ test: JSON) -> String {
    guard case .object(let members) = test.kind else { return "" }
    var lines: [[String]] = [[], [], [], []]
    for member in members {
      if member.key == "time", member.value.isText(Text(time.description)) { continue }
      let line =
        switch member.key {
        case "name": 0
        case "documents": 2
        case "expect", "line": 3
        default: 1
        }
      let value = member.key == "as" ? principal(member.value) : JSONText(member.value)
      lines[line].append("\(JSONText.string(String(member.key)).compact): \(value.compact)")
    }
    let text = lines.filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    return "    { " + text.joined(separator: ",\n      ") + " },\n"
  }

  /// A user of the suite by name, if there is nothing more to say about them.
  private func principal(_ json: JSON) -> JSONText {
    guard case .object(let members) = json.kind, members.count == 1,
      [SampleRequests.user, SampleRequests.stranger].contains(where: { members[0].value.isText($0) }
      )
    else { return JSONText(json) }
    return JSONText(members[0].value)
  }
}

extension JSON {
  fileprivate func isText(_ text: Text) -> Bool {
    if case .string(text) = kind { true } else { false }
  }
}
