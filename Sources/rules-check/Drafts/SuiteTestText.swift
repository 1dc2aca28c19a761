import RulesEval
import RulesLang

/// Writes tests into a suite.
struct SuiteTestText {
  /// A named user of the suite.
  struct User {
    /// The name for `as`.
    var name: Text
    /// The user as JSON, as a test without names has it.
    var principal: JSON
  }

  /// The named users.
  var users: [User] = []
  /// The time of the suite, which tests need not repeat.
  var time: Timestamp?
  /// The line end.
  var lineEnd = "\n"
  /// The indentation of a test.
  var indent = "    "

  /// The indentation of a test's further lines.
  private var inner: String { indent + (indent.contains("\t") ? "\t" : "  ") }

  /// Tests below a title.
  struct Section {
    /// The comment above them, one line; nil for none.
    var title: String?
    /// The tests.
    var tests: [JSON]
  }

  /// Returns the texts of tests with the titles above them, each with its indentation, without commas.
  func texts(_ sections: [Section]) -> [String] {
    sections.flatMap { section in
      section.tests.enumerated().map { place, test in
        let title =
          section.title.map { indent + "// \(Printable.text($0))" + lineEnd } ?? ""
        return (place == 0 ? title : "") + indent + text(test)
      }
    }
  }

  /// Returns the text of one test: name, client and operation, documents, and expectation, each on a line.
  /// The time of the suite is left out, and users have their names.
  func text(_ test: JSON) -> String {
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
      let value = member.key == "as" ? principal(member.value) : member.value
      let key = JSONText.string(String(member.key)).compact
      lines[line].append("\(key): \(JSONText(value).compact)")
    }
    let parts = lines.filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    return "{ " + parts.joined(separator: "," + lineEnd + inner) + " }"
  }

  /// Returns the name of a user, if it has one in the suite.
  private func principal(_ json: JSON) -> JSON {
    let text = JSONText(json).compact
    let user = users.first { JSONText($0.principal).compact == text }
    return user.map { JSON(.string($0.name)) } ?? json
  }
}

extension JSON {
  fileprivate func isText(_ text: Text) -> Bool {
    if case .string(text) = kind { true } else { false }
  }
}
