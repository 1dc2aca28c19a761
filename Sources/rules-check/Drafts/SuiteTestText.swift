import RulesEval
import RulesLang

/// How tests are written into a suite.
struct SuiteTestText {
  /// A user of the suite, and who that is.
  struct User {
    /// The name that `as` takes.
    var name: Text
    /// The user as a test writes one who has no name.
    var principal: JSON
  }

  /// Who has a name.
  var users: [User] = []
  /// The time of the suite, which a test need not repeat.
  var time: Timestamp?
  /// What ends a line.
  var lineEnd = "\n"
  /// What stands before a test on its line.
  var indent = "    "

  /// What the further lines of a test begin with.
  private var inner: String { indent + (indent.contains("\t") ? "\t" : "  ") }

  /// Tests that stand below a title.
  struct Section {
    /// The comment above them, a line; nil for none.
    var title: String?
    /// The tests.
    var tests: [JSON]
  }

  /// The tests of some sections with what stands above them, each begun by its blanks, without commas.
  func texts(_ sections: [Section]) -> [String] {
    sections.flatMap { section in
      section.tests.enumerated().map { place, test in
        let title =
          section.title.map { indent + "// \(Printable.text($0))" + lineEnd } ?? ""
        return (place == 0 ? title : "") + indent + text(test)
      }
    }
  }

  /// One test: its name, who does what, on what, and what is expected, each on a line. The time of the
  /// suite is left out, and users are called by name.
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

  /// A user of the suite by name, who has one.
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
