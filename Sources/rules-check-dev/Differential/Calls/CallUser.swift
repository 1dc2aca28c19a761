import FirestoreTransport

/// The user who makes a call of a campaign.
enum CallUser: String, CaseIterable, Sendable {
  case owner, alice, bob
  /// Signed out.
  case nobody

  /// The headers of the user's requests. The tokens are unsigned: `{"sub":"alice","role":"editor","level":2}`
  /// and `{"sub":"bob"}`.
  var headers: [HTTPHeader] {
    switch self {
    case .owner: [HTTPHeader("authorization", "Bearer owner")]
    case .alice:
      [
        HTTPHeader(
          "authorization",
          "Bearer e30.eyJzdWIiOiJhbGljZSIsInJvbGUiOiJlZGl0b3IiLCJsZXZlbCI6Mn0.")
      ]
    case .bob: [HTTPHeader("authorization", "Bearer e30.eyJzdWIiOiJib2IifQ.")]
    case .nobody: []
    }
  }
}
