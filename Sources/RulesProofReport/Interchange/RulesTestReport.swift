import RulesEval
import RulesLang

/// The tests as the body of Google's `projects.test` call, to be put to production.
package struct RulesTestReport {
  private let report: TestReport

  /// The tests of a report whose suites were written down as cases.
  package init(_ report: TestReport) { self.report = report }

  /// The rules files that the tests are about. A body has one.
  package var rules: [String] {
    var paths: [String] = []
    for suite in report.suites where !paths.contains(suite.rulesPath) {
      paths.append(suite.rulesPath)
    }
    return paths
  }

  /// Which tests are left out, and why: a sentence each, with the suite.
  package var omissions: [String] {
    report.suites.flatMap { suite in
      suite.cases.omissions.map { "\(suite.source.name): \($0)" }
    }
  }

  /// What of the suites the call does not know of at all, a sentence each: their claims.
  package var strangers: [String] {
    report.suites.filter { !$0.claims.isEmpty }.map { suite in
      "\(suite.source.name): \(suite.claims.count.of("claim")), which the call does not know"
    }
  }

  /// Whether there is no case to put to production.
  package var isEmpty: Bool { report.suites.allSatisfy { $0.cases.cases.isEmpty } }

  /// The body; nothing without a suite.
  package var text: String {
    guard let first = report.suites.first else { return "" }
    let cases = report.suites.flatMap { $0.cases.cases }
    return RulesTestWriter.body(
      of: first.rules.ruleset.source, named: first.rulesPath, cases
    ).pretty
  }
}
