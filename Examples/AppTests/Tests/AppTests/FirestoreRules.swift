import Foundation
import RulesCheck

/// The rules as they are deployed, and what the tests find stored.
let rules: Result<Rules, any Error> = Result {
  try Rules(text(of: "firestore.rules"), file: "firestore.rules").storing([
    "/users/alice": ["displayName": "Alice", "fcmToken": "old"],
    "/rooms/lobby": ["members": ["alice", "bob"], "open": true],
  ])
}

/// A file of the package's folder.
func text(of file: String) throws -> String {
  let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  return try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
}
