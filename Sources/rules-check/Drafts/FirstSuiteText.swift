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
      for test in entry.tests { text += "    " + self.test(test, in: time) + ",\n" }
    }
    return text + "  ]\n}\n"
  }

  /// A suite with more tests behind those that it has; all else stays as it is. Nil if it is no suite.
  static func extending(_ suite: SourceText, with entries: [FirstSuite.Entry]) -> String? {
    let tests = entries.flatMap { entry in
      entry.tests.enumerated().map { place, test in
        (place == 0 ? "    // \(Printable.text(entry.title))\n" : "") + "    "
          + Self.test(test, isNamed: false, time: nil)
      }
    }
    guard let json = try? JSONParser.parse(suite), case .object(let members) = json.kind else {
      return nil
    }
    if tests.isEmpty { return String(decoding: suite.bytes, as: UTF8.self) }
    let all = tests.joined(separator: ",\n")
    guard let known = members.first(where: { $0.key == "tests" }) else {
      let before = members.last.map { (Int($0.value.range.end), ",") }
      let (place, comma) = before ?? (Int(json.range.start) + 1, "")
      return suite.inserting("\(comma)\n  \"tests\": [\n\(all)\n  ]", at: place)
    }
    guard case .array(let elements) = known.value.kind else { return nil }
    guard let last = elements.last else {
      return suite.inserting("\n\(all)\n  ", at: Int(known.value.range.start) + 1)
    }
    return suite.inserting(",\n\(all)", at: Int(last.range.end))
  }

  private func test(_ test: JSON, in time: Timestamp) -> String {
    Self.test(test, isNamed: true, time: time)
  }

  /// One test: its name, who does what, on what, and what is expected, each on a line. The time is left out
  /// that is the suite's, and users can be called by name.
  private static func test(_ test: JSON, isNamed: Bool, time: Timestamp?) -> String {
    guard case .object(let members) = test.kind else { return "" }
    var lines: [[String]] = [[], [], [], []]
    for member in members {
      if member.key == "time", let time, member.value.isText(Text(time.description)) { continue }
      let line =
        switch member.key {
        case "name": 0
        case "documents": 2
        case "expect", "line": 3
        default: 1
        }
      let value =
        isNamed && member.key == "as" ? principal(member.value) : JSONText(member.value)
      lines[line].append("\(JSONText.string(String(member.key)).compact): \(value.compact)")
    }
    let text = lines.filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    return "{ " + text.joined(separator: ",\n      ") + " }"
  }

  /// A user of the suite by name, if there is nothing more to say about them.
  private static func principal(_ json: JSON) -> JSONText {
    guard case .object(let members) = json.kind, members.count == 1,
      [SampleRequests.user, SampleRequests.stranger].contains(where: { members[0].value.isText($0) }
      )
    else { return JSONText(json) }
    return JSONText(members[0].value)
  }
}

extension SourceText {
  /// The text with something more at an offset.
  fileprivate func inserting(_ text: String, at place: Int) -> String {
    String(decoding: bytes[..<place] + Array(text.utf8) + bytes[place...], as: UTF8.self)
  }
}

extension JSON {
  fileprivate func isText(_ text: Text) -> Bool {
    if case .string(text) = kind { true } else { false }
  }
}
