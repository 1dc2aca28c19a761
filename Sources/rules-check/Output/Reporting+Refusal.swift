import RulesEval
import RulesHost
import RulesProofReport
import RulesReport

extension Reporting {
  /// Writes the report for programs of a run in which nothing could be done. People are told elsewhere.
  ///
  /// - Parameters:
  ///   - reasons: Why.
  ///   - schema: The name of the command's report.
  ///   - isLine: Whether the report is one line, as of commands that answer line by line.
  func refuse(
    _ reasons: [Annotation], as schema: String, isLine: Bool = false
  ) throws(UsageProblem) {
    let repository = Repository()
    let report = reasons.map { $0.naming(repository.path) }.report(schema)
    try emit { format in
      guard format.rawValue == "json" else { return nil }
      return isLine ? report.compact + "\n" : report.pretty
    }
  }
}
