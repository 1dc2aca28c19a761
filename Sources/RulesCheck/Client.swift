import RulesEval
import RulesLang

extension Rules {
  /// The client of a request: a signed-in user, or someone signed out.
  ///
  /// Where a client is wanted a string is a signed-in user with that ID, `as: "mallory"` and `as: uid`.
  public struct Client: Hashable, Sendable {
    /// The client in the notation of suites.
    let notation: Notation
    /// The user's ID; nil if the client is signed out.
    public let uid: String?

    private init(uid: String?, _ notation: Notation) {
      self.uid = uid
      self.notation = notation
    }

    /// Creates a signed-in user with claims in the ID token, to which `sub`, `user_id` and
    /// `firebase.sign_in_provider` are added where they are missing.
    public init(uid: String, claims: [String: FieldValue] = [:]) {
      self.init(
        uid: uid,
        Notation([
          JSON.Member("uid", value: Notation(uid).json),
          JSON.Member("token", value: FieldValue.object(claims).json),
        ]))
    }

    /// Creates a signed-in user with claims in the ID token, of which some are variables.
    @_disfavoredOverload
    public init(uid: String, claims: [String: (any Encodable)?]) {
      self.init(uid: uid, claims: FieldValue.fields(claims))
    }

    /// A client who is not signed in: `request.auth` is null.
    public static let signedOut = Client(uid: nil, Notation(JSON(.null)))
  }

  /// A type whose values stand for clients: `String`, the ID of a signed-in user, and ``Client``.
  public protocol ClientConvertible {
    /// The client.
    var rulesClient: Client { get }
  }
}

extension Rules.Client: Rules.ClientConvertible {
  /// The client itself.
  public var rulesClient: Rules.Client { self }
}

extension String: Rules.ClientConvertible {
  /// The signed-in user with this ID and no claims.
  public var rulesClient: Rules.Client { Rules.Client(uid: self) }
}

extension Rules.ClientConvertible where Self == Rules.Client {
  /// A client who is not signed in: `request.auth` is null.
  public static var signedOut: Rules.Client { Rules.Client.signedOut }

  /// Returns a signed-in user with claims in the ID token: `as: .user("eve", claims: ["role": "staff"])`.
  public static func user(
    _ uid: String, claims: [String: Rules.FieldValue]
  ) -> Rules.Client {
    Rules.Client(uid: uid, claims: claims)
  }

  /// Returns a signed-in user with claims in the ID token, of which some are variables.
  @_disfavoredOverload
  public static func user(_ uid: String, claims: [String: (any Encodable)?]) -> Rules.Client {
    Rules.Client(uid: uid, claims: claims)
  }
}

extension Rules.Client: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a signed-in user without claims.
  public init(stringLiteral uid: String) { self.init(uid: uid) }
}

extension Rules.Client: CustomStringConvertible {
  /// The user's ID, with the claims if there are some; `someone signed out` if the client is not signed in.
  public var description: String {
    guard let uid else { return "someone signed out" }
    guard case .object(let members) = notation.json.kind,
      let token = members.first(where: { $0.key == "token" })?.value,
      case .object(let claims) = token.kind, !claims.isEmpty
    else { return uid }
    return "\(uid) with the claims \(Notation(token).text)"
  }
}
