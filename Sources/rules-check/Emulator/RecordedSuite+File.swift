import RulesEval
import RulesHost
import RulesLang
import RulesProof

extension RecordedSuite {
  /// Writes the suite to a file, or adds its new tests to the suite in the file.
  ///
  /// - Parameter rules: The path of the rules file that the suite names.
  /// - Returns: The number of tests that were written.
  func write(
    to file: String, rules: String, on terminal: Terminal
  ) throws(UsageProblem) -> Int {
    guard FileSystem.kind(of: file) == .missing else {
      let database = loaded.engine.rules.database
      guard let existing = try ExistingSuite(file, of: database, on: terminal) else {
        throw UsageProblem("\(file) is not a suite that can be extended")
      }
      guard existing.rulesPath.map({ FileSystem.isSame($0, rules) }) ?? true else {
        throw UsageProblem(
          "\(file) is about \(existing.rulesPath ?? "other rules"), not about \(rules)",
          help: "\(EmulatorOptions.record.name) FILE writes another")
      }
      let tests = tests(notIn: existing.suite, at: existing.time)
      try existing.add([SuiteTestText.Section(title: nil, tests: tests)])
      return tests.count
    }
    let text = text(rules: FilePath.relative(rules, to: FilePath.folder(of: file)))
    do throws(FileProblem) {
      try FileSystem.write(Array(text.utf8), to: file)
    } catch {
      throw UsageProblem(error)
    }
    return requests.count
  }
}
