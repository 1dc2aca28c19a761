import RulesCheck
import XCTest

/// The same with XCTest, whose tests throw just as well.
final class RulesXCTests: XCTestCase {
  func testOnlyTheOwnerRefreshesTheToken() throws {
    let rules = try AppTests.rules.get()
    try rules.expect(.allow, update: "/users/alice", data: ["fcmToken": "new"], as: "alice")
    try rules.expect(.deny, update: "/users/alice", data: ["fcmToken": "x"], as: "mallory")
  }
}
