import RulesEval
import RulesHost
import RulesLang

/// A suite in a file to which tests are added.
struct ExistingSuite {
  /// The text.
  let source: SourceText
  /// The suite.
  let suite: Suite

  /// Reads a suite; complains, and is nil, if it is none.
  init?(_ path: String, on terminal: Terminal) throws(UsageProblem) {
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
    let (read, diagnostics) = SuiteReader.read(source)
    guard let read else {
      Complaints(terminal).print(diagnostics, in: source)
      return nil
    }
    suite = read
  }

  /// The rules file that it names, as it is opened.
  var rulesPath: String? {
    suite.rulesPath.map {
      FileSystem.plain(FilePath.join(FilePath.folder(of: source.name), with: String($0)))
    }
  }

  /// Writes the file with more tests; one that would not be read is not written.
  func add(_ entries: [FirstSuite.Entry]) throws(UsageProblem) {
    if entries.allSatisfy({ $0.tests.isEmpty }) { return }
    guard let text = FirstSuiteText.extending(source, with: entries),
      SuiteReader.read(SourceText(name: source.name, text)).suite != nil
    else { throw UsageProblem("\(source.name) cannot be extended") }
    do throws(FileProblem) {
      try FileSystem.replace(source.name, with: Array(text.utf8))
    } catch {
      throw UsageProblem(error)
    }
  }
}
