import RulesEval
import RulesLang
import RulesReport

/// Coverage of rules by the requests of an emulator, for its `:ruleCoverage` endpoints.
enum EmulatorCoverage {
  /// The official emulator's JSON.
  static func report(on rules: Checked, _ coverage: RuleCoverage, named name: String?) -> String {
    RuleCoverageReport(CoverageReport(of: rules, coverage), hasNames: name != nil).text
  }

  /// The page for a browser.
  static func page(on rules: Checked, _ coverage: RuleCoverage, named _: String?) -> String {
    CoveragePage(CoverageReport(of: rules, coverage)).text
  }
}
