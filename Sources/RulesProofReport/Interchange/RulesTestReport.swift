import RulesEval
import RulesLang

/// The tests as the body of Google's `projects.test` call, for running them in production.
package struct RulesTestReport {
  private let report: TestReport

  /// Creates the report of suites whose tests were written as cases.
  package init(_ report: TestReport) { self.report = report }

  /// The rules files of the tests. A body can have only one.
  package var rules: [String] {
    var paths: [String] = []
    for suite in report.suites where !paths.contains(suite.rulesPath) {
      paths.append(suite.rulesPath)
    }
    return paths
  }

  /// The tests that are left out, each with suite and reason, in a sentence.
  package var omissions: [String] {
    report.suites.flatMap { suite in
      suite.cases.omissions.map { "\(suite.source.name): \($0)" }
    }
  }

  /// Sentences about the parts of suites that the call does not support: claims.
  package var strangers: [String] {
    report.suites.filter { !$0.claims.isEmpty }.map { suite in
      "\(suite.source.name): \(suite.claims.count.of("claim")), which the call cannot express"
    }
  }

  /// True if there is no case.
  package var isEmpty: Bool { report.suites.allSatisfy { $0.cases.cases.isEmpty } }

  /// The body; empty without a suite.
  package var text: String {
    guard let first = report.suites.first else { return "" }
    let cases = report.suites.flatMap { $0.cases.cases }
    return RulesTestWriter.body(
      of: first.rules.ruleset.source, named: first.rulesPath, cases
    ).pretty
  }
}
