import FirestoreTransport
import RulesEval
import RulesLang

/// The address of a server as the hub reports it.
public struct ServerAddress: Sendable {
  /// The host, without brackets.
  public var host: String
  /// The port.
  public var port: Int
  /// The ID of the process.
  public var process: Int

  /// Creates an address.
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

/// The endpoints of the emulator hub that test libraries and scripts use: the address of Firestore, exports,
/// and switches for function triggers, although there are no triggers.
public enum Hub {
  /// The result of an export.
  public enum Outcome: Sendable {
    /// The export is written; its message lines.
    case written([String])
    /// The export failed; the reason.
    case failed(String)
  }

  /// Writes an export in the form of the Firebase CLI into a folder.
  public typealias Exporter = @Sendable (_ databases: StoredDatabases, _ folder: String) -> Outcome

  /// Writes an export: `{"path": DIR}`. Refused for pages of browsers, as the Firebase CLI refuses them.
  static func export(
    _ request: HTTPRequest, _ backend: inout Backend, by write: Exporter
  ) -> HTTPResponse {
    guard request.value(of: "origin") == nil else {
      return message("Export cannot be triggered by external callers.", status: 403)
    }
    guard let path = JSON(body: request.body)?.member("path")?.text, !path.isEmpty else {
      return message("the request has no `path`", status: 500)
    }
    switch write(backend.databases, String(path)) {
    case .written(let lines):
      backend.notices += lines
      return message("OK", status: 200)
    case .failed(let reason): return message(reason, status: 500)
    }
  }

  private static func message(_ text: String, status: Int) -> HTTPResponse {
    .json(JSONText.object([("message", .string(text))]).compact, status: status)
  }

  /// Returns the addresses of the emulators, both on one port.
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

  /// Answers a request to switch function triggers.
  static func triggers(areEnabled: Bool) -> HTTPResponse {
    .json(JSONText.object([("enabled", .bool(areEnabled))]).pretty)
  }
}
