public import RulesLang

/// The client of a request as `request.auth` shows it (Docs/Language.md §9).
public struct Principal: Sendable {
  /// The user ID; null if the token has no `sub` that is a string.
  public var uid: Value
  /// The claims of the ID token.
  public var token: MapValue

  /// Creates a principal of a user ID and claims, to which `sub`, `user_id` and
  /// `firebase.sign_in_provider` are added where they lack them.
  public init(uid: Text, claims: MapValue = MapValue(), provider: Text = "custom") {
    self.uid = .string(uid)
    token = claims
    typealias Names = RequestNames
    // Most principals have no claims, and a log can have a million principals; without claims nothing is
    // looked up.
    if claims.count == 0 {
      token.reserve(3)
      token.append(Names.sub, value: .string(uid))
      token.append(Names.userID, value: .string(uid))
      token.append(
        Names.firebase, value: .map(MapValue(key: Names.signInProvider, value: .string(provider))))
      return
    }
    if token[Names.sub] == nil { token[Names.sub] = .string(uid) }
    if token[Names.userID] == nil { token[Names.userID] = .string(uid) }
    switch token[Names.firebase] {
    case .none:
      token[Names.firebase] = .map(MapValue([(Names.signInProvider, .string(provider))]))
    case .map(var firebase) where firebase[Names.signInProvider] == nil:
      firebase[Names.signInProvider] = .string(provider)
      token[Names.firebase] = .map(firebase)
    case .some:
      break
    }
  }

  /// Creates a principal of exactly these claims; the user ID is the claim `sub`.
  public init(exactClaims: MapValue) {
    if case .string(let subject) = exactClaims["sub"] {
      uid = .string(subject)
    } else {
      uid = .null
    }
    token = exactClaims
  }

  /// The value of `request.auth`.
  public var value: Value {
    var map = MapValue()
    map.reserve(2)
    map.append(RequestNames.uid, value: uid)
    map.append(RequestNames.token, value: .map(token))
    return .map(map)
  }
}
