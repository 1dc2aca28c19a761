import FirestoreWire
import RulesEval
import RulesLang

/// Random WebChannel requests, valid and invalid ones.
struct RandomChannelRequest {
  private var dice: Dice
  /// IDs of sessions that the server has opened.
  private var sessions: [String] = []

  private static let opening = Array("[\"c\",\"".utf8)
  /// Bytes of a response within which the ID of its session is found.
  private static let idLength = 60

  /// Creates a source of requests.
  init(_ dice: Dice) { self.dice = dice }

  /// Collects the IDs of sessions from output of the server.
  ///
  /// - Returns: The end of the output, in which an ID may begin.
  mutating func learn(from bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: Self.opening[0]) {
      rest = rest[start...]
      guard rest.count >= Self.idLength else { break }
      if rest.starts(with: Self.opening) {
        let id = rest.dropFirst(Self.opening.count).prefix { $0 != UInt8(ascii: "\"") }
        sessions.append(String(decoding: id, as: UTF8.self))
      }
      rest = rest.dropFirst()
    }
    return Array(rest.suffix(Self.idLength))
  }

  /// Returns a request; every tenth one is damaged.
  mutating func next(as token: String, _ messages: inout RandomMessage) -> [UInt8] {
    let method: FirestoreMethod = dice.chance(50) ? .write : .listen
    var query: [String] = dice.chance(95) ? ["VER=8"] : []
    var body: String?
    var verb = "POST"
    if dice.chance(75), let session = session() { query.append("SID=" + session) }
    if dice.chance(80) { query.append("AID=" + dice.pick(Self.numbers)) }
    switch dice.roll(10) {
    case 0...2:
      verb = "GET"
      query += ["RID=rpc", "TYPE=xmlhttp", "CI=" + dice.pick(["0", "0", "1", "x"])]
      if dice.chance(20) { query.append("TO=" + dice.pick(Self.numbers)) }
    case 3: query.append("TYPE=terminate")
    default:
      query.append("RID=1")
      body = self.body(of: method, as: token, &messages)
      if dice.chance(20) { query.append("$httpHeaders=authorization:" + Self.escaped(token)) }
    }
    let name = dice.chance(97) ? method.name.description : "Commit"
    let target = "/google.firestore.v1.Firestore/\(name)/channel?" + query.joined(separator: "&")
    let text = body ?? ""
    var bytes = Array(
      "\(verb) \(target) HTTP/1.1\r\nhost: x\r\ncontent-length: \(text.utf8.count)\r\n\r\n\(text)"
        .utf8)
    if dice.chance(10) {
      for _ in 0..<dice.roll(1...4) { bytes[dice.roll(bytes.count)] = UInt8(dice.roll(256)) }
    }
    return bytes
  }

  private static let numbers = [
    "0", "0", "1", "2", "3", "5", "9", "50", "", "-1", "x", "2147483647", "99999999999999999999",
  ]

  private mutating func session() -> String? {
    if dice.chance(10) { return dice.pick(["", "null", "%00", "x"]) }
    return sessions.isEmpty ? nil : dice.pick(sessions.suffix(4).map { $0 })
  }

  private mutating func body(
    of method: FirestoreMethod, as token: String, _ messages: inout RandomMessage
  ) -> String {
    var parts = ["ofs=" + (dice.chance(70) ? "\(dice.roll(4))" : dice.pick(Self.numbers))]
    if dice.chance(30) { parts.append("headers=authorization:" + Self.escaped(token)) }
    let first = dice.chance(90) ? 0 : dice.roll(5)
    for number in first..<(first + dice.roll(4)) {
      parts.append("req\(number)___data__=" + Self.escaped(message(of: method, &messages)))
    }
    if dice.chance(10) { parts.append(dice.pick(["req0_type=_badmap", "req_", "&&", "count=x"])) }
    return parts.joined(separator: "&")
  }

  private mutating func message(
    of method: FirestoreMethod, _ messages: inout RandomMessage
  ) -> String {
    let database = "\"database\":\"projects/p/databases/(default)\""
    switch dice.roll(6) {
    case 0: return "{\(database)}"
    case 1:
      let path = "\"projects/p/databases/(default)/documents/a/b\""
      return method == .write
        ? "{\"writes\":[{\"delete\":\(path)}]}"
        : "{\(database),\"addTarget\":{\"targetId\":2,\"documents\":{\"documents\":[\(path)]}}}"
    case 2: return dice.pick(["", "{", "[]", "null", "{\"x\":1}", "\u{0}\u{FFFD}😀"])
    default:
      let bytes = messages.bytes(of: method.request)
      guard let message = try? WireMessage(protobuf: bytes, as: method.request, project: "p") else {
        return "{}"
      }
      return String(decoding: message.json(project: "p", layout: .compact), as: UTF8.self)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
