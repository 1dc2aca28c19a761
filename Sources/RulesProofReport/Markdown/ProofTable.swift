import RulesEval
import RulesLang
import RulesProof
import RulesReport

/// Claims as a table in Markdown: a row for each claim, a column for each rules file.
package struct ProofTable {
  private let report: ProofReport

  /// Creates the table of a report.
  package init(_ report: ProofReport) { self.report = report }

  /// The table.
  package var text: String {
    let head = ["claim"] + report.files.map { Markdown.text(Self.name($0.rulesPath)) }
    var lines = [row(head), row(head.map { _ in "---" })]
    for name in names {
      let cells = report.files.map { file in
        file.results.first { $0.claim.name == name }.map { Self.cell($0) } ?? ""
      }
      lines.append(row([Markdown.text(name)] + cells))
    }
    let refused = report.refusals.refusedMarkdown
    if report.files.isEmpty { return refused }
    return lines.joined(separator: "\n") + "\n" + remarks + counterexamples
      + (refused.isEmpty ? "" : "\n" + refused)
  }

  /// The notes beside the verdicts, one a line; empty if there are none.
  private var remarks: String {
    var text = ""
    for file in report.files {
      for result in file.results where !result.notes.isEmpty {
        let about = "\(Self.name(file.rulesPath)), \(result.claim.name): "
        text +=
          "- " + Markdown.text(about) + Markdown.sentence(result.notes.joined(separator: "; "))
          + "\n"
      }
    }
    return text.isEmpty ? "" : "\n" + text
  }

  /// The counterexample and tests of each unexpectedly violated claim; empty if there is none.
  private var counterexamples: String {
    var text = ""
    for file in report.files {
      for result in file.results where !result.isPassed {
        guard case .violated(let found) = result.verdict else { continue }
        let about = "\(Self.name(file.rulesPath)), \(result.claim.name)"
        text += "\n**\(Markdown.text(about))**\n\n"
        text += Markdown.sentence(found.sentence(in: result.rules)) + "\n\n"
        text += Self.test(found.test, titled: "The test that shows it today")
        text += Self.test(found.closingTest, titled: "The test that closes it")
      }
    }
    return text
  }

  private static func test(_ test: JSON, titled title: String) -> String {
    "\(title):\n\n```json\n\(JSONText(test).compact)\n```\n\n"
  }

  /// The names of the claims, without repetitions, in order.
  private var names: [String] {
    var names: [String] = []
    for result in report.results where !names.contains(result.claim.name) {
      names.append(result.claim.name)
    }
    return names
  }

  private func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func cell(_ result: ClaimResult) -> String {
    let verdict = result.verdict.word
    guard verdict == "proved" else {
      return "**\(verdict)**" + (result.isPassed ? ", as expected" : "")
    }
    guard result.isPassed else { return "**\(verdict)**" }
    let remarks =
      (result.grantsNothing ? ["grants nothing"] : []) + (result.isUnchecked ? ["not checked"] : [])
    return verdict + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
  }

  private static func name(_ path: String) -> String {
    let file = path.split(separator: "/").last.map { String($0) } ?? path
    return file.hasSuffix(".rules") ? String(file.dropLast(6)) : file
  }
}
