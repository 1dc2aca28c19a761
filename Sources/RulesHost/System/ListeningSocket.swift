#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The listening sockets of one port of a host: in both address families if the host has both, like
/// `localhost`.
package final class ListeningSocket {
  /// The port.
  package let port: UInt16
  /// The addresses with the port, as in URLs: `127.0.0.1:8080`, `[::1]:8080`.
  package let addresses: [String]
  /// The non-blocking sockets.
  private(set) var descriptors: [Int32]

  /// Maximum connections that the system queues until they are accepted: the default of Linux.
  private static let backlog: Int32 = 4096

  /// Listens on a port of a host; 0 chooses a free port.
  ///
  /// - Throws: `FileProblem` about `HOST:PORT` if the host is not known, or none of its addresses can be
  ///   used.
  package init(host: String, port: UInt16) throws(FileProblem) {
    // Some machines' host tables lack one of the addresses of `localhost`, and clients use both.
    let hosts = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
    var (chosen, opened): (UInt16, [Int32]) = (port, [])
    var reason = "the host is not known"
    var addresses: [String] = []
    for host in hosts {
      Self.forEachAddress(of: host) { info in
        guard let descriptor = Self.open(info, port: chosen) else {
          if opened.isEmpty { reason = FileSystem.lastError }
          return
        }
        opened.append(descriptor)
        let (address, actual) = Self.name(of: descriptor)
        chosen = actual
        let text = address.contains(":") ? "[\(address)]:\(actual)" : "\(address):\(actual)"
        if !addresses.contains(text) { addresses.append(text) }
      }
      // Clients would not find the port in the second family alone.
      if opened.isEmpty { break }
    }
    guard !opened.isEmpty else { throw FileProblem(path: "\(host):\(port)", reason: reason) }
    descriptors = opened
    self.addresses = addresses
    self.port = chosen
  }

  private static func forEachAddress(of host: String, _ body: (addrinfo) -> Void) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return }
    defer { freeaddrinfo(found) }
    var next = found
    while let candidate = next {
      body(candidate.pointee)
      next = candidate.pointee.ai_next
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Returns a socket that listens on an address; nil, with `errno` set, if that fails.
  private static func open(_ info: addrinfo, port: UInt16) -> Int32? {
    let descriptor = PrivateDescriptors.socket(
      family: info.ai_family, kind: info.ai_socktype, protocol: info.ai_protocol)
    guard descriptor >= 0 else { return nil }
    var flag: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Allows a port whose last server has just ended.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &flag, size)
    if info.ai_family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &flag, size)
    }
    guard let address = info.ai_addr else { return nil }
    var storage = sockaddr_storage()
    // Safe: a `sockaddr_storage` has room for any address, and both families have the port at the same
    // offset.
    withUnsafeMutableBytes(of: &storage) { bytes in
      bytes.copyMemory(
        from: UnsafeRawBufferPointer(start: address, count: min(Int(info.ai_addrlen), bytes.count)))
      bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
    }
    let isBound = withUnsafePointer(to: &storage) { pointer in
      // Safe: every kind of address begins as a `sockaddr` does.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, info.ai_addrlen) == 0
      }
    }
    if isBound, listen(descriptor, backlog) == 0,
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
    {
      return descriptor
    }
    let problem = errno
    close(descriptor)
    errno = problem
    return nil
  }

  /// Returns the address and port of a socket.
  private static func name(of descriptor: Int32) -> (address: String, port: UInt16) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
      // Safe: every kind of address begins as a `sockaddr` does, and `size` is the size of the memory.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        getsockname(descriptor, general, &size) == 0
          && getnameinfo(
            general, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
      }
    }
    guard isKnown else { return ("", 0) }
    // Safe: the bytes are read in the call, and both families have the port at the same offset.
    let port = withUnsafeBytes(of: &storage) {
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
    let address = String(
      decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (address, port)
  }
}
