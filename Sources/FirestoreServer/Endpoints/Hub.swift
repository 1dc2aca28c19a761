import FirestoreTransport
import RulesEval

/// The address of a server, as the hub shows it.
public struct ServerAddress: Sendable {
  /// The host, without brackets.
  public var host: String
  /// The port.
  public var port: Int
  /// The ID of the process.
  public var process: Int

  /// Makes an address.
  public init(host: String, port: Int, process: Int = 0) {
    self.host = host
    self.port = port
    self.process = process
  }

  /// Reads a `Host` header: `127.0.0.1:8080`, `[::1]:8080`.
  init?(hostHeader value: String) {
    guard let colon = value.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    var host = value[..<colon]
    guard let port = UInt16(value[value.utf8.index(after: colon)...]), !host.isEmpty else {
      return nil
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self.init(host: String(host), port: Int(port))
  }
}

/// The part of the emulator hub that test libraries ask for: where Firestore is, and switches for function
/// triggers, which there are none of.
enum Hub {
  /// Tells where the emulators are: both on one port.
  static func emulators(_ request: HTTPRequest, at known: ServerAddress?) -> HTTPResponse {
    let named = request.value(of: "host").flatMap { ServerAddress(hostHeader: $0) }
    guard var address = named ?? known else { return .notFound }
    if let known { address.process = known.process }
    let family = address.host.utf8.contains(UInt8(ascii: ":")) ? "IPv6" : "IPv4"
    func entry(_ name: String) -> (String, JSONText) {
      let listen = JSONText.object([
        ("address", .string(address.host)), ("family", .string(family)),
        ("port", .int(address.port)),
      ])
      return (
        name,
        .object([
          ("listen", .array([listen])), ("name", .string(name)), ("host", .string(address.host)),
          ("port", .int(address.port)), ("pid", .int(address.process)),
        ])
      )
    }
    return .json(JSONText.object([entry("firestore"), entry("hub")]).pretty)
  }

  /// Answers a switch of function triggers.
  static func triggers(areEnabled: Bool) -> HTTPResponse {
    .json(JSONText.object([("enabled", .bool(areEnabled))]).pretty)
  }
}
