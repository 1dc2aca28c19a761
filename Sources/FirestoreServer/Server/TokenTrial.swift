package import FirestoreTransport
import RulesEval
import RulesLang

/// Reads random values of the header `authorization`, intact and damaged ones.
package struct TokenTrial {
  private var random: TrialRandom

  /// Claims that tokens have, and others: their keys in JSON and as text.
  private static let keys: [(json: String, key: Text)] = [
    ("sub", "sub"), ("user_id", "user_id"), ("iat", "iat"), ("admin", "admin"),
    ("firebase", "firebase"), ("", ""), ("a\\n\\u00e9", "a\né"),
  ]
  /// Scalars with their values.
  private static let scalars: [(json: String, value: Value)] = [
    ("null", .null), ("true", .bool(true)), ("0", .int(0)), ("-7", .int(-7)), ("1e3", .int(1000)),
    ("2.5", .float(2.5)), ("9223372036854775807", .int(.max)), ("1e300", .float(1e300)),
    ("\"alice\"", .string("alice")), ("\"\"", .string("")), ("\"\\u0041\"", .string("A")),
  ]
  /// Maximum depth of nested claims.
  private static let depth = 4

  private init(seed: UInt64) { random = TrialRandom(seed: seed) }

  /// Reads the header of a seed. In half of the cases it has an intact token, whose claims must be read
  /// unchanged; in the other half it is damaged, and the caller may be an administrator only if the header
  /// still says so.
  package static func play(seed: UInt64) -> TrialOutcome {
    var trial = TokenTrial(seed: seed)
    return trial.random.onceIn(2) ? trial.readWhole() : trial.readDamaged()
  }

  private mutating func readWhole() -> TrialOutcome {
    let (claims, value) = object(depth: 0)
    let header = header(claims: claims)
    guard let caller = try? Caller(authorization: header), let user = caller.principal else {
      return .failed("a token is refused, or is no user's")
    }
    guard Value.areStoredAlike(.map(user.token), .map(value)) else {
      return .failed("claims do not come back")
    }
    return Self.hasUID(user, of: value) ? .taken : .failed("the user is not the claim `sub`")
  }

  private mutating func readDamaged() -> TrialOutcome {
    let whole =
      random.onceIn(5)
      ? ["Bearer owner", "bearer OWNER", "Bearer ya29.x", "Basic x", ""][random.below(5)]
      : header(claims: object(depth: 0).json)
    let bytes = TrialConversation.mutated(Array(whole.utf8), &random)
    let header = String(decoding: bytes, as: UTF8.self)
    guard let caller = try? Caller(authorization: header) else { return .refused }
    guard let user = caller.principal else {
      return caller.isAdmin && Self.isAdministrator(header)
        ? .taken : .failed("nobody says to be administrator, and is")
    }
    return Self.hasUID(user, of: user.token) ? .taken : .failed("the user is not the claim `sub`")
  }

  /// True if a header has the token of an administrator, by a check that is independent of the server's.
  private static func isAdministrator(_ header: String) -> Bool {
    let lower = Array(header.utf8).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    return lower == Array("bearer owner".utf8)
      || lower.starts(with: "bearer ".utf8) && header.utf8.dropFirst(7).starts(with: "ya29.".utf8)
  }

  private static func hasUID(_ user: Principal, of claims: MapValue) -> Bool {
    guard case .string(let subject)? = claims["sub"] else {
      if case .null = user.uid { return true }
      return false
    }
    if case .string(let uid) = user.uid { return uid == subject }
    return false
  }

  // MARK: Tokens

  private mutating func header(claims: String) -> String {
    let head = ["{}", #"{"alg":"none","typ":"JWT"}"#, "1", "null"][random.below(4)]
    let scheme = ["Bearer ", "bearer ", "BEARER "][random.below(3)]
    let signature = random.onceIn(2) ? "" : Self.part(String(random.next()))
    return scheme + Self.part(head) + "." + Self.part(claims) + "." + signature
  }

  private static func part(_ json: String) -> String {
    String(Base64.urlSafe.text(of: Array(json.utf8)))
  }

  private mutating func object(depth: Int) -> (json: String, value: MapValue) {
    var map = MapValue()
    var members: [String] = []
    for (json, key) in Self.keys where random.onceIn(3) {
      let (text, value) = value(depth: depth)
      members.append("\"\(json)\" : \(text)")
      map[key] = value
    }
    return ("{" + members.joined(separator: ",") + "}", map)
  }

  private mutating func value(depth: Int) -> (json: String, value: Value) {
    guard depth < Self.depth, random.onceIn(3) else {
      return Self.scalars[random.below(Self.scalars.count)]
    }
    if random.onceIn(2) {
      let (json, map) = object(depth: depth + 1)
      return (json, .map(map))
    }
    let elements = (0..<random.below(4)).map { _ in value(depth: depth + 1) }
    return (
      "[" + elements.map { $0.json }.joined(separator: ", ") + "]",
      .list(elements.map { $0.value })
    )
  }
}
