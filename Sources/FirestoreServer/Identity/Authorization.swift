import FirestoreTransport
import RulesEval
import RulesLang

// The header `authorization` (Docs/Emulator.md, Identity). The emulator believes every token: neither
// signature nor expiry is checked, because test libraries send unsigned tokens that expired in 1970.

extension Caller {
  /// Reads the caller from the headers of a call; the last `authorization` header is used.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a malformed token, and for schemes other than `Bearer`. The code is
  ///   permanent, whereas clients retry forever after the official one, `UNKNOWN`.
  init(headers: [HTTPHeader]) throws(CallStatus) {
    guard let header = headers.last(where: { $0.name == Self.headerName }) else {
      self = .client(nil)
      return
    }
    try self.init(authorization: header.value)
  }

  /// The name of the header with the caller's token.
  static let headerName = "authorization"

  private static let scheme = "bearer "
  private static let owner = "owner"
  /// The prefix of OAuth access tokens, which administrators have.
  private static let accessToken = "ya29."

  /// Reads the value of the header.
  init(authorization value: String) throws(CallStatus) {
    let bytes = Array(value.utf8)
    guard bytes.count >= Self.scheme.utf8.count,
      Self.isSame(bytes[..<Self.scheme.utf8.count], as: Self.scheme)
    else {
      throw CallStatus(
        .invalidArgument, "the authorization header is not `Bearer TOKEN`")
    }
    let token = bytes[Self.scheme.utf8.count...]
    if Self.isSame(token, as: Self.owner) || token.starts(with: Self.accessToken.utf8) {
      self = .admin
      return
    }
    guard let principal = Principal(token: token) else {
      throw CallStatus(.invalidArgument, "invalid jwt")
    }
    self = .client(principal)
  }

  /// True if bytes equal a lower-case text, ignoring case.
  private static func isSame(_ bytes: ArraySlice<UInt8>, as lower: String) -> Bool {
    bytes.elementsEqual(lower.utf8) { byte, expected in
      byte == expected || (0x41...0x5A).contains(byte) && byte | 0x20 == expected
    }
  }
}

extension Principal {
  /// Reads the user of a JSON Web Token, whose header and payload are JSON in base64url; nil if it is
  /// malformed.
  fileprivate init?(token: ArraySlice<UInt8>) {
    let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, Self.json(parts[0]) != nil, let payload = Self.json(parts[1]),
      case .object(let members) = payload.kind
    else { return nil }
    var claims = MapValue()
    for member in members { claims[member.key] = member.value.claim }
    self.init(exactClaims: claims)
  }

  private static func json(_ part: ArraySlice<UInt8>) -> JSON? {
    guard let octets = Base64.urlSafe.octets(of: Text(wellFormed: Array(part))) else { return nil }
    return try? JSONParser.parse(SourceText(name: "token", bytes: octets))
  }
}

extension JSON {
  /// The value of a claim. A whole number that fits 64 bits is an int, in any notation.
  fileprivate var claim: Value {
    switch kind {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let digits): return ClaimNumber.value(of: digits)
    case .string(let text): return .string(text)
    case .array(let elements): return .list(elements.map { $0.claim })
    case .object(let members):
      var map = MapValue()
      for member in members { map[member.key] = member.value.claim }
      return .map(map)
    }
  }
}
