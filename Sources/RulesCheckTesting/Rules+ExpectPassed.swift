public import RulesCheck

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Rules {
  /// Expects every test of a suite to pass and every claim to have the expected verdict. If not, records the
  /// report as an issue at the line of the call. `file` is the suite's name in the report.
  public func expectPassed(
    suite text: String, file: String = "the suite", fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    IssueRecorder.record(at: place) { () throws(Failure) in
      try checkPassed(try run(suite: text, file: file), file: file)
    }
  }

  /// Expects every test of the suite in a file to pass and every claim to have the expected verdict. If not,
  /// records the report as an issue at the line of the call.
  public func expectPassed(
    suiteAt url: URL, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    IssueRecorder.record(at: place) { () throws(Failure) in
      try checkPassed(try run(suiteAt: url), file: url.lastPathComponent)
    }
  }
}
