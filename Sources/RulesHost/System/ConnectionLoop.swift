#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server behind a `ConnectionLoop`: it takes and gives bytes and never blocks.
package protocol ConnectionHandler {
  /// Takes a new connection.
  mutating func open(_ connection: Int)
  /// Takes bytes of a client.
  mutating func receive(_ bytes: [UInt8], on connection: Int)
  /// Takes the end of a client's input. Its requests are still answered.
  mutating func endOfInput(on connection: Int)
  /// Forgets a connection that is closed.
  mutating func closed(_ connection: Int)
  /// Does what is due. Called after each turn of the loop.
  mutating func tick()
  /// The milliseconds until something is due; nil if nothing is.
  var patience: Int32? { get }
  /// Returns the connections that have output or are to be closed, without repetition.
  mutating func takeReady() -> [Int]
  /// Returns the output of a connection, and true if the connection is closed after it.
  mutating func takeOutput(of connection: Int) -> (bytes: [UInt8], closes: Bool)
  /// Returns the bytes held for a connection: answers not yet sent, and incomplete requests.
  func heldBytes(of connection: Int) -> Int
}

/// A single-threaded server loop for all connections of some ports.
///
/// A client for which `greatestBacklog` bytes wait is not read from. Beyond `greatestConnections`, new
/// clients are refused. If all connections together hold more than `greatestTotal` bytes, those that hold
/// most are closed.
package struct ConnectionLoop<Handler: ConnectionHandler> {
  private struct Client {
    var descriptor: Int32
    var waiting: [UInt8] = []
    var sent = 0
    /// True if the connection is closed once all output is sent.
    var isEnding = false
    /// True if the client has ended its input.
    var hasEnded = false
    /// The bytes held for the client when it was last served.
    var held = 0
    /// The events that are waited for.
    var wanted: Readiness = .reading

    var backlog: Int { waiting.count - sent }
  }

  /// The server.
  package var handler: Handler
  private let listeners: [ListeningSocket]
  private var descriptors = DescriptorSet()
  /// The registered descriptor that ends a wait from outside; nil if there is none.
  private var wakes: Int32?
  private var clients: [Int: Client] = [:]
  private var nextConnection = 1

  /// Maximum waiting bytes of a client that is still read from: four of the largest messages of a Firestore
  /// client, 17 MiB each.
  private static var greatestBacklog: Int { 68 << 20 }
  /// Maximum bytes held for all clients.
  private let greatestTotal: Int
  /// The bytes held for all clients.
  private var held = 0

  /// The default of `greatestTotal`: 1 GiB, some fifteen times `greatestBacklog`.
  package static var usualTotal: Int { 1 << 30 }
  /// Maximum open connections. A Linux process has 1,024 descriptors unless it requests more.
  private let greatestConnections: Int

  /// Creates a loop that serves the connections of some listeners.
  package init(
    _ listeners: [ListeningSocket], handler: Handler, greatestTotal: Int = Self.usualTotal
  ) {
    self.listeners = listeners
    self.greatestTotal = greatestTotal
    self.handler = handler
    greatestConnections = Descriptors.raiseLimit() - Descriptors.reserve
    for descriptor in listeners.flatMap(\.descriptors) {
      _ = descriptors.add(descriptor, number: Self.number(ofListener: descriptor), for: .reading)
    }
  }

  // Clients have positive numbers, the waking descriptor 0.
  private static func number(ofListener descriptor: Int32) -> Int { -1 - Int(descriptor) }
  private static var wakingNumber: Int { 0 }

  /// The number of open connections.
  package var count: Int { clients.count }

  /// Waits for events, or for `patience` milliseconds, and serves them. The descriptor `wakes` ends the wait,
  /// too.
  ///
  /// - Returns: True if `wakes` is ready.
  package mutating func turn(wakingBy wakes: Int32, patience: Int32? = nil) -> Bool {
    if self.wakes != wakes {
      if let old = self.wakes { descriptors.remove(old) }
      self.wakes = descriptors.add(wakes, number: Self.wakingNumber, for: .reading) ? wakes : nil
    }
    let limits = [handler.patience, patience].compactMap { $0 }
    let ready = descriptors.wait(milliseconds: limits.min() ?? -1) ?? []
    var isWoken = false
    for ready in ready {
      if ready.number == Self.wakingNumber {
        isWoken = true
      } else if ready.number < 0 {
        accept(on: Int32(-1 - ready.number))
      } else {
        serve(ready.number, ready.readiness)
      }
    }
    handler.tick()
    flush()
    return isWoken
  }

  /// Reads from and writes to a connection, as far as it is ready and still open.
  private mutating func serve(_ connection: Int, _ readiness: Readiness) {
    if readiness.contains(.reading) {
      read(connection)
      count(connection)
      // In one turn, several clients can send more than all together may hold.
      if held > greatestTotal { flush() }
    } else if readiness.contains(.failing) {
      end(connection)
    }
    if readiness.contains(.writing) {
      write(connection)
      count(connection)
    }
  }

  /// Closes every connection.
  package mutating func closeAll() {
    for connection in Array(clients.keys) { end(connection) }
  }

  private mutating func accept(on descriptor: Int32) {
    while true {
      #if canImport(Glibc)
        let accepted = Glibc.accept(descriptor, nil, nil)
      #elseif canImport(Musl)
        let accepted = Musl.accept(descriptor, nil, nil)
      #else
        let accepted = Darwin.accept(descriptor, nil, nil)
      #endif
      guard accepted >= 0 else { return }
      guard clients.count < greatestConnections,
        fcntl(accepted, F_SETFL, fcntl(accepted, F_GETFL) | O_NONBLOCK) == 0,
        descriptors.add(accepted, number: nextConnection, for: .reading)
      else {
        close(accepted)
        continue
      }
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
      var flag: Int32 = 1
      setsockopt(
        accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
      clients[nextConnection] = Client(descriptor: accepted)
      handler.open(nextConnection)
      nextConnection += 1
    }
  }

  private mutating func read(_ connection: Int) {
    guard let client = clients[connection] else { return }
    let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      count = max(0, recv(client.descriptor, buffer.baseAddress, buffer.count, 0))
    }
    if !chunk.isEmpty { return handler.receive(chunk, on: connection) }
    switch Self.state(of: client.descriptor) {
    case .open: return
    case .broken: end(connection)
    case .ended:
      clients[connection]?.hasEnded = true
      handler.endOfInput(on: connection)
    }
  }

  /// Maximum bytes of a read. One MiB of a large message takes 801 µs of processor time with 4 KiB, 428 with
  /// 16, 225 with 64, 224 with 256 and 219 with 1,024; a small message 13 µs with any. Least of three, over
  /// loopback.
  private static var chunk: Int { 1 << 16 }

  /// The state of a client's sending side.
  private enum State { case open, ended, broken }

  /// Distinguishes the end of input from a moment without bytes: a read returns nothing for both.
  private static func state(of descriptor: Int32) -> State {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
    if count == 0 { return .ended }
    return count > 0 || errno == EAGAIN || errno == EINTR ? .open : .broken
  }

  /// Sends the output of the handler's connections.
  private mutating func flush() {
    for connection in handler.takeReady() {
      guard clients[connection] != nil else { continue }
      let output = handler.takeOutput(of: connection)
      clients[connection]?.waiting += output.bytes
      if output.closes { clients[connection]?.isEnding = true }
      write(connection)
      count(connection)
    }
    while held > greatestTotal, let most = clients.max(by: { $0.value.held < $1.value.held }) {
      end(most.key)
    }
  }

  /// Updates the bytes held for a client and the events that are waited for.
  private mutating func count(_ connection: Int) {
    guard let place = clients.index(forKey: connection) else { return }
    let now = clients.values[place].backlog + handler.heldBytes(of: connection)
    held += now - clients.values[place].held
    clients.values[place].held = now
    let client = clients.values[place]
    var wanted: Readiness = client.backlog > 0 ? .writing : []
    if client.backlog < Self.greatestBacklog, !client.isEnding, !client.hasEnded {
      wanted.insert(.reading)
    }
    guard wanted != client.wanted else { return }
    clients.values[place].wanted = wanted
    descriptors.change(client.descriptor, number: connection, to: wanted)
  }

  private mutating func write(_ connection: Int) {
    // In place: copying the backlog of a slow client would cost more than sending it.
    guard let place = clients.index(forKey: connection) else { return }
    while clients.values[place].backlog > 0 {
      let client = clients.values[place]
      let count = Self.send(client.waiting[client.sent...], on: client.descriptor)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { break }
      guard count > 0 else { return end(connection) }
      clients.values[place].sent += count
    }
    let sent = clients.values[place].sent
    if clients.values[place].backlog == 0 {
      clients.values[place].waiting = []
      clients.values[place].sent = 0
    } else if sent > clients.values[place].waiting.count / 2 {
      clients.values[place].waiting.removeFirst(sent)
      clients.values[place].sent = 0
    }
    if clients.values[place].isEnding, clients.values[place].backlog == 0 { end(connection) }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, on descriptor: Int32) -> Int {
    // Safe: the buffer does not leave the call. A peer that hangs up is an error of this connection only.
    bytes.withUnsafeBytes { buffer in
      #if canImport(Darwin)
        Darwin.send(descriptor, buffer.baseAddress, buffer.count, 0)
      #elseif canImport(Musl)
        Musl.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      #else
        Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      #endif
    }
  }

  private mutating func end(_ connection: Int) {
    guard let client = clients.removeValue(forKey: connection) else { return }
    descriptors.remove(client.descriptor)
    close(client.descriptor)
    held -= client.held
    handler.closed(connection)
  }
}

/// The limit of open files and sockets of this process.
enum Descriptors {
  /// Descriptors reserved for other uses than connections. `serve` without a client has ten: three standard
  /// streams, four listeners, a pipe, and the set that is waited for; an export or a reload opens one more at
  /// a time.
  static let reserve = 64
  /// Maximum descriptors to request: ten thousand connections and the reserve.
  private static let wanted = 10_064

  /// Raises the limit as far as the system allows, and returns it.
  static func raiseLimit() -> Int {
    var limits = rlimit()
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    #else
      let kind = RLIMIT_NOFILE
    #endif
    guard getrlimit(kind, &limits) == 0 else { return 256 }
    if limits.rlim_cur < rlim_t(wanted) {
      limits.rlim_cur = min(rlim_t(wanted), limits.rlim_max)
      _ = setrlimit(kind, &limits)
      _ = getrlimit(kind, &limits)
    }
    return Int(clamping: min(limits.rlim_cur, rlim_t(wanted)))
  }
}
