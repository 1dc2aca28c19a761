import RulesEval
import RulesHost
import RulesProofReport
import RulesReport

extension Reporting {
  /// Writes the machine-readable report of a run that could not begin. The errors are printed elsewhere.
  ///
  /// - Parameters:
  ///   - reasons: The errors.
  ///   - schema: The name of the command's report.
  ///   - isLine: True if the report is one line, as for commands that answer line by line.
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
