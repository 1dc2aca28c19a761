import Foundation

/// A server that answers whatever it is sent with one text and hangs up, until it is dropped.
///
/// With `pause` it sends one byte at a time and waits so many seconds between two of them.
final class ScriptedServer: Sendable {
  /// Where it listens, on this machine only.
  let port: UInt16
  private let listener: Int32

  init?(_ answer: String, pause: Double = 0) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 4) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard listener >= 0, isListening else { return nil }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed here: closed elsewhere, its number could be another server's by the next accept.
          close(listener)
          return
        }
        var received = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &received, received.count, 0)
        let bytes = Array(answer.utf8)
        // Who does not want the rest hangs up, which must not end the tests.
        let flags = Int32(MSG_NOSIGNAL)
        if pause > 0 {
          for byte in bytes {
            if send(connection, [byte], 1, flags) != 1 { break }
            Thread.sleep(forTimeInterval: pause)
          }
        } else {
          _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
        }
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }
}
