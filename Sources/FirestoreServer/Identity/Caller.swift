public import RulesEval

/// The caller: an administrator, to whom no rules apply, or a client.
public enum Caller: Sendable {
  /// A caller with the token `owner` or a Google access token.
  case admin
  /// A client; nil if the client is not signed in.
  case client(Principal?)

  /// True for an administrator.
  public var isAdmin: Bool {
    switch self {
    case .admin: true
    case .client: false
    }
  }

  /// The signed-in user; nil for administrators and clients that are not signed in.
  public var principal: Principal? {
    switch self {
    case .admin: nil
    case .client(let principal): principal
    }
  }
}
