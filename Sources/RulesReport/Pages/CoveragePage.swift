import RulesEval
import RulesLang

/// Coverage as one self-contained page for a browser: the source coloured by outcome, and for each
/// place its values with counts and the tests that produced them.
package struct CoveragePage {
  private let report: CoverageReport
  private let result: String?
  private let refusals: [Annotation]
  private let notices: [ProjectNotice]

  /// Creates the page of a report.
  ///
  /// - Parameters:
  ///   - report: The coverage.
  ///   - result: The outcome of the run in words; nil if there is none.
  ///   - refusals: Errors about missing parts.
  ///   - notices: Notices about missing parts.
  package init(
    _ report: CoverageReport, result: String? = nil, refusals: [Annotation] = [],
    notices: [ProjectNotice] = []
  ) {
    self.report = report
    self.result = result
    self.refusals = refusals
    self.notices = notices
  }

  /// The whole page.
  package var text: String {
    let total = report.summary.total
    let isEmpty = total.possible == 0
    let percent = CoverageReport.text(total.percent)
    let title = isEmpty ? "No rules were covered" : "\(percent) % of the rules covered"
    let covered =
      isEmpty
      ? "no test was run"
      : "<strong>\(percent) %</strong> \(total.seen) of \(total.possible) outcomes"
    let bodies = report.files.enumerated().map { CoveragePageFile($0.element, number: $0.offset) }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <h1>Rules coverage</h1>
      <p class="total">\(covered)\(threshold)</p>
      <p class="run">\(facts)</p>
      \(refused)\(noticed)\
      \(Self.legend)
      \(Self.controls)
      </header>
      <div class="columns">
      <main>
      \(bodies.map { $0.section }.joined(separator: "\n"))
      </main>
      <aside id="detail" aria-live="polite" aria-label="values"></aside>
      </div>
      <script type="application/json" id="data">\(Self.embedded(.array(bodies.map { $0.data })))</script>
      <script>
      \(Self.script)
      </script>
      </body>
      </html>

      """
  }

  /// The program and the outcome of the run.
  private var facts: String {
    ["\(Product.name) \(Product.version)", result.map { HTML.text($0) }].compactMap { $0 }
      .joined(separator: ": ")
  }

  /// The coloured source alone, with the share of each file that is covered.
  package var sections: String {
    report.files.enumerated().map { CoveragePageFile($0.element, number: $0.offset).section }
      .joined(separator: "\n")
  }

  /// The errors of what could not be run, whose coverage is missing.
  private var refused: String {
    if refusals.isEmpty { return "" }
    let lines = refusals.map { "<li>\(HTML.sentence($0))</li>\n" }
    return "<p class=\"low\">Not run, and not covered here:</p>\n<ul>\n\(lines.joined())</ul>\n"
  }

  /// Notices about files that a run leaves out, or that differ from what the project deploys.
  private var noticed: String {
    if notices.isEmpty { return "" }
    let lines = notices.map { "<li>\(HTML.sentence($0.annotation))</li>\n" }
    return "<ul class=\"low\">\n\(lines.joined())</ul>\n"
  }

  private var threshold: String {
    guard let required = report.required else { return "" }
    if report.sumComplaint != nil {
      return " <span class=\"low\">less than the \(required.plain) % required</span>"
    }
    return " (\(required.plain) % required"
      + (report.untested.isEmpty ? ")" : ", and of each file that is deployed a test)")
  }

  /// Returns JSON that is safe inside a `<script>` element.
  private static func embedded(_ json: JSONText) -> String {
    json.compact.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "<" { text += "\\u003c" } else { text.unicodeScalars.append(scalar) }
    }
  }

  private static let legend = """
    <ul class="legend">
    <li><span class="p both">seen</span> every outcome</li>
    <li><span class="p yes">only true</span> never false</li>
    <li><span class="p no">only false</span> never true</li>
    <li><span class="p err">only errors</span></li>
    <li><span class="p never">never</span> evaluated</li>
    </ul>
    """

  private static let controls = """
    <p class="controls">
    <button type="button" id="previous"><kbd>p</kbd> previous gap</button>
    <button type="button" id="next"><kbd>n</kbd> next gap</button>
    <button type="button" id="list"><kbd>Esc</kbd> all gaps</button>
    <button type="button" id="theme">dark colours</button>
    <span class="hint">point at a place, or move with <kbd>←</kbd> <kbd>→</kbd>; \
    <kbd>↑</kbd> what it is part of, <kbd>↓</kbd> its parts</span>
    </p>
    """
}
