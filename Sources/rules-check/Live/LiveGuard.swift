import FirestoreTransport
import RulesLang

/// Access control of the live page: decides which HTTP requests are for it, and which of these are answered.
///
/// The page shows requests and documents, and any page in the same browser can send requests to this machine.
/// So answers have no headers that let other origins read them, a request must name a host by which this
/// machine is known (another name that resolves to it would be DNS rebinding), and requests that change
/// something must come from the page itself.
struct LiveGuard {
  /// The host of the emulator.
  let host: String

  private static let loopback = ["localhost", "127.0.0.1", "[::1]"]
  private static let anyAddress = ["0.0.0.0", "::"]

  /// True if the live page answers a request, not the emulator: below `/live`, and `/` for browsers.
  static func isOwn(_ request: HTTPRequest) -> Bool {
    let segments = request.segments
    if segments.isEmpty { return request.method == "GET" && accepts("text/html", request) }
    return segments[0] == LivePage.root
  }

  private static func accepts(_ type: String, _ request: HTTPRequest) -> Bool {
    (request.value(of: "accept") ?? "").lowercased().split(separator: ",").contains { item in
      item.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" } == type
    }
  }

  /// Returns the reason why a request is refused; nil if it is answered.
  func refusal(_ request: HTTPRequest) -> String? {
    guard let named = request.value(of: "host"), isKnown(named) else {
      return "This page is for \(Self.loopback.joined(separator: ", ")) and the host of `--host`."
    }
    // A link from another site opens the page, which by itself shows nothing.
    let isPage = request.segments.isEmpty
    if let site = request.value(of: "sec-fetch-site"), !isPage, site != "same-origin",
      site != "none"
    {
      return "Pages of other origins may not request this."
    }
    if request.method != "GET", request.value(of: "origin") != "http://\(named)" {
      return "Only the page itself may request this."
    }
    return nil
  }

  private func isKnown(_ named: String) -> Bool {
    let name = Self.withoutPort(named).lowercased()
    if Self.loopback.contains(name) || name == host.lowercased() || name == "[\(host.lowercased())]"
    {
      return true
    }
    // An address cannot be made to lead elsewhere, unlike a host name.
    return Self.anyAddress.contains(host) && Self.isAddress(name)
  }

  private static func withoutPort(_ named: String) -> String {
    if named.hasPrefix("["), let end = named.firstIndex(of: "]") { return String(named[...end]) }
    return String(named.prefix { $0 != ":" })
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
