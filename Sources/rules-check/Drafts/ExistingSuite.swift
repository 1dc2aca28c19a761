import RulesEval
import RulesHost
import RulesLang

/// A suite file to which tests are added.
struct ExistingSuite {
  /// The text.
  let source: SourceText
  /// The suite.
  let suite: Suite
  private let text: SuiteExtension

  /// Reads a suite; nil, with the errors printed, if it is none.
  init?(
    _ path: String, of database: DatabaseName, on terminal: Terminal
  ) throws(UsageProblem) {
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
    let (read, diagnostics) = SuiteReader.read(source, database: database)
    guard let read, let text = SuiteExtension(source) else {
      Complaints(terminal).print(diagnostics, in: source)
      return nil
    }
    suite = read
    self.text = text
  }

  /// The time of the suite's requests, if it sets one.
  var time: Timestamp? { text.time }

  /// The path of its rules file.
  var rulesPath: String? {
    suite.rulesPath.map {
      FileSystem.plain(FilePath.join(FilePath.folder(of: source.name), with: String($0)))
    }
  }

  /// Writes the file with more tests, after checking that the result can be read.
  func add(_ entries: [FirstSuite.Entry]) throws(UsageProblem) {
    try add(entries.map { SuiteTestText.Section(title: $0.title, tests: $0.tests) })
  }

  /// Writes the file with more tests, after checking that the result can be read.
  func add(_ sections: [SuiteTestText.Section]) throws(UsageProblem) {
    let count = sections.reduce(0) { $0 + $1.tests.count }
    if count == 0 { return }
    guard let bytes = text.adding(sections),
      let longer = SuiteReader.read(
        SourceText(name: source.name, bytes: bytes), database: suite.database
      ).suite,
      longer.tests.count == suite.tests.count + count
    else { throw UsageProblem("\(source.name) cannot be extended") }
    do throws(FileProblem) {
      try FileSystem.replace(source.name, with: bytes)
    } catch {
      throw UsageProblem(error)
    }
  }
}
