import RulesCheck
import RulesCheckTesting
import XCTest

/// The failures that tests of apps record with XCTest.
final class ExpectationXCTests: XCTestCase {
  /// The lines of the failures while a test asks for them; nil otherwise.
  private var lines: [Int]?

  #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
      guard lines != nil else { return super.record(issue) }
      lines?.append(issue.sourceCodeContext.location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      guard lines != nil, filePath.hasSuffix("ExpectationXCTests.swift") else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      lines?.append(lineNumber)
    }
  #endif

  func testTheIssueIsAtTheLineOfTheCallAndTheTestGoesOn() throws {
    let rules = try Rules(ExpectationTests.text).storing(["/users/mallory": ["name": "M"]])
    lines = []
    let line = #line
    rules.expect(.allow, .get("/users/alice", as: "mallory"))
    rules.expect(.allow, .get("/users/mallory", as: "mallory"))
    rules.expect(.proved, .never(on: "/users/{uid}"))
    rules.expect(steps: [
      .allow(.update("/users/mallory", data: ["role": "admin"], as: "mallory")),
      .deny(.get("/admin/page", as: "mallory")),
    ])
    rules.expectPassed(suite: "{}")
    let recorded = lines
    lines = nil
    XCTAssertEqual(recorded, [line + 1, line + 3, line + 6, line + 8])
  }
}
