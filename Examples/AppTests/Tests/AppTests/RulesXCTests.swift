import RulesCheck
import RulesCheckTesting
import XCTest

/// Expectations with XCTest.
final class RulesXCTests: XCTestCase {
  func testOnlyTheOwnerRefreshesTheToken() throws {
    let rules = try AppTests.rules.get()
    rules.expect(.allow, .update("/users/alice", data: ["fcmToken": "new"], as: "alice"))
    rules.expect(.deny, .update("/users/alice", data: ["fcmToken": "x"], as: "mallory"))
  }
}
