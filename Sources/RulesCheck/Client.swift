import RulesEval
import RulesLang

extension Rules {
  /// The client of a request. A string literal is a signed-in user with that ID: `as: "mallory"`.
  public struct Client: Sendable, ExpressibleByStringLiteral {
    /// The client in the notation of suites.
    let json: JSON

    /// Creates a signed-in user with claims in the ID token, to which `sub`, `user_id` and
    /// `firebase.sign_in_provider` are added where they are missing.
    public init(uid: String, claims: [String: FieldValue] = [:]) {
      json = JSON(
        .object([
          JSON.Member("uid", value: JSON(.string(Text(uid)))),
          JSON.Member("token", value: FieldValue.object(claims)),
        ]))
    }

    private init(json: JSON) { self.json = json }

    /// Creates a signed-in user without claims.
    public init(stringLiteral uid: String) { self.init(uid: uid) }

    /// A client that is not signed in: `request.auth` is null.
    public static let signedOut = Client(json: JSON(.null))
  }
}
