import RulesEval
import RulesLang
import RulesProof

/// Prints for people what requests cost.
///
/// ```
/// cost  rules/app.rules  of 1000 expressions and 10 lookups for a document, 20 for several
///   expressions  lookups  reads
///            23        1      1  the owner refreshes the token as alice
///   at most
///             5        0      0  line 6: allow write
///            28        1      1  update /users/{userID}
/// ```
struct CostText {
  private let report: CostReport
  private let palette: Palette
  private let showsTests: Int

  /// Maximum tests shown, the most expensive ones.
  static let testsShown = 5

  /// Creates a report in the colours of a palette, with at most `tests` of the most expensive tests.
  init(_ report: CostReport, in palette: Palette, tests: Int = Self.testsShown) {
    self.report = report
    self.palette = palette
    showsTests = tests
  }

  /// The text of all files.
  var text: String { report.files.reduce("") { $0 + text($1) } }

  private func text(_ file: CostReport.File) -> String {
    var text =
      "cost  \(Printable.text(file.path))  of \(Limits.expressions) expressions and 10 lookups "
      + "for a document, 20 for several\n"
    text += palette.paint("  expressions  lookups  reads", as: .gutter) + "\n"
    // Sorted by cost; tests with equal costs keep their order.
    let dearest = file.tests.enumerated().sorted { one, other in
      (other.element.share, other.element.expressions, one.offset)
        < (one.element.share, one.element.expressions, other.offset)
    }
    for (_, test) in dearest.prefix(showsTests) {
      text += row(test.expressions, test.lookups, test.reads, of: test.share)
      text += Printable.text(test.name) + "\n"
    }
    if dearest.count > showsTests {
      text += "  and \((dearest.count - showsTests).of("request")) that cost no more\n"
    }
    text += palette.paint("  any request, at most", as: .gutter) + "\n"
    for statement in file.bounds.statements {
      let amount = statement.amount
      text += row(amount.expressions, amount.lookups, amount.lookups, of: amount.share)
      text += "line \(file.line(of: statement)): \(operations(statement, in: file))\n"
    }
    for block in file.bounds.blocks {
      let amount = block.amount
      text += row(amount.expressions, amount.lookups, amount.lookups, of: amount.share)
      text += "\(block.method.word) \(Printable.text(block.path))\n"
    }
    return text
  }

  private func row(_ expressions: Int, _ lookups: Int, _ reads: Int, of share: Double) -> String {
    let numbers = [(expressions, 13), (lookups, 9), (reads, 7)].map { number, width in
      let digits = "\(number)"
      return String(repeating: " ", count: max(1, width - digits.utf8.count)) + digits
    }
    let line = numbers.joined()
    return (share > 1 ? palette.paint(line, as: .error) : line) + "  "
  }

  private func operations(
    _ statement: CostBounds.Statement, in file: CostReport.File
  ) -> String {
    let range = file.rules.ruleset[statement.allow].operationsRange
    return Printable.text("allow " + SourceSnippet.text(range, in: file.rules.ruleset.source))
  }
}
