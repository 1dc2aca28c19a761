import RulesCheck

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// Records failures in the test that runs: of Swift Testing, or of XCTest.
enum IssueRecorder {
  /// Records what `check` throws, as an issue at a place.
  static func record(
    at place: Rules.Place, _ check: () throws(Rules.Failure) -> Void
  ) {
    do throws(Rules.Failure) {
      try check()
    } catch {
      record(error, at: place)
    }
  }

  /// Records a failure as an issue at a place.
  static func record(_ failure: Rules.Failure, at place: Rules.Place) {
    #if canImport(Testing)
      if Test.current != nil || isSwiftTesting {
        let location = SourceLocation(
          fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
          column: Int(place.column))
        Issue.record(Comment(rawValue: failure.description), sourceLocation: location)
        return
      }
    #endif
    #if canImport(XCTest)
      XCTFail(failure.description, file: place.filePath, line: place.line)
    #endif
  }

  /// True if `swift test` began this process for Swift Testing alone: no test is current in a detached task,
  /// and XCTest would drop the failure there.
  private static let isSwiftTesting: Bool = {
    let arguments = CommandLine.arguments
    guard let option = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments[option...].dropFirst().first == "swift-testing"
  }()
}
