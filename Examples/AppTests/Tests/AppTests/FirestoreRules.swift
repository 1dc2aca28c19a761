import Foundation
import RulesCheck

/// The rules as they are deployed, and what the tests find stored.
let rules: Result<Rules, any Error> = Result {
  try Rules(contentsOf: file("firestore.rules"))
    .storing([
      "/users/alice": ["displayName": "Alice", "fcmToken": "old"],
      "/rooms/lobby": ["members": ["alice", "bob"], "open": true],
    ])
}

/// A file of the package's folder.
func file(_ name: String) -> URL {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(name)
}
