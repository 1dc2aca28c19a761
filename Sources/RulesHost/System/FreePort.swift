#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds a port of this machine on which nothing listens.
enum FreePort {
  /// Returns a free port that the system chooses; nil if there is none. Another program may take it before it
  /// is used.
  static func find() -> UInt16? {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = PrivateDescriptors.socket(family: AF_INET, kind: kind, protocol: 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      // Safe: a `sockaddr_in` is a `sockaddr`, and `size` is its own size.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(descriptor, general, size) == 0 && getsockname(descriptor, general, &size) == 0
      }
    }
    return isBound ? UInt16(bigEndian: address.sin_port) : nil
  }
}
