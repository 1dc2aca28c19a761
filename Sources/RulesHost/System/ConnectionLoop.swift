#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server as a loop over connections sees it: bytes come and go, and nothing waits.
package protocol ConnectionHandler {
  /// A client has connected.
  mutating func open(_ connection: Int)
  /// Bytes have come.
  mutating func receive(_ bytes: [UInt8], on connection: Int)
  /// The client sends no more; what it has asked is still answered.
  mutating func endOfInput(on connection: Int)
  /// The connection is closed.
  mutating func closed(_ connection: Int)
  /// Time has passed, or a connection has been served: what is due is done.
  mutating func tick()
  /// Milliseconds until something is due; nil if nothing is.
  var patience: Int32? { get }
  /// Connections that have something to send or are to be closed, each once.
  mutating func takeReady() -> [Int]
  /// The bytes to be sent on a connection, and whether the connection is closed after them.
  mutating func takeOutput(of connection: Int) -> (bytes: [UInt8], closes: Bool)
  /// Bytes that the server holds for a connection: answers that are not taken, requests that are not whole.
  func heldBytes(of connection: Int) -> Int
}

/// One thread that serves all connections of some ports.
///
/// A client that does not read is not read from, once `greatestBacklog` bytes wait for it. More clients than
/// `greatestConnections` are refused in the order in which they come. Where all connections together hold
/// more than `greatestTotal` bytes, those that hold most end.
package struct ConnectionLoop<Handler: ConnectionHandler> {
  private struct Client {
    var descriptor: Int32
    var waiting: [UInt8] = []
    var sent = 0
    /// True if the connection is closed once everything is sent.
    var isEnding = false
    /// True if the client has said that it sends no more.
    var hasEnded = false
    /// Bytes that are held for the client, as they were when it was served last.
    var held = 0
    /// The events that the loop waits for.
    var wanted: Readiness = .reading

    var backlog: Int { waiting.count - sent }
  }

  /// The server.
  package var handler: Handler
  private let listeners: [ListeningSocket]
  private var descriptors = DescriptorSet()
  /// The descriptor that ended the waiting last time, if it was to.
  private var wakes: Int32?
  private var clients: [Int: Client] = [:]
  private var nextConnection = 1

  /// Bytes that wait for one client at most before nothing more is read from it: four of the largest messages
  /// of a Firestore client, 17 MiB each.
  private static var greatestBacklog: Int { 68 << 20 }
  /// Bytes that wait for all clients, and of their unfinished requests, at most.
  private let greatestTotal: Int
  /// The sum of what is held for clients.
  private var held = 0

  /// Four times what waits at most for one client that does not read.
  package static var usualTotal: Int { 1 << 30 }
  /// Open connections at most; a process of Linux has 1,024 descriptors unless it asks for more.
  private let greatestConnections: Int

  /// A loop that serves what connects to some listeners.
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

  // Clients have positive numbers.
  private static func number(ofListener descriptor: Int32) -> Int { -1 - Int(descriptor) }
  private static var wakingNumber: Int { 0 }

  /// How many connections are open.
  package var count: Int { clients.count }

  /// Waits until something happens or `patience` milliseconds have passed, and serves it. `wakes` is a
  /// descriptor that ends the waiting too; whether it is what did is returned.
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

  /// Reads and sends what can be, unless the connection has ended in this turn.
  private mutating func serve(_ connection: Int, _ readiness: Readiness) {
    if readiness.contains(.reading) {
      read(connection)
      count(connection)
      // Several clients of one turn can bring more than all may hold together.
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

  /// Bytes that are read at once. A MiB of a large message takes 801 µs of processor by 4 KiB, 428 by 16, 225
  /// by 64, 224 by 256 and 219 by 1,024; a small one 13 µs by any. Least of three, over loopback.
  private static var chunk: Int { 1 << 16 }

  /// The state of a client's sending side.
  private enum State { case open, ended, broken }

  /// Tells the end from a moment without bytes: reading gives nothing in both cases.
  private static func state(of descriptor: Int32) -> State {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
    if count == 0 { return .ended }
    return count > 0 || errno == EAGAIN || errno == EINTR ? .open : .broken
  }

  /// Sends what the handler has for its connections.
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

  /// Counts what is held for a client now, and waits for what it can be served with next.
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
    // In place: a copy of what waits for a slow client would cost more than to send it.
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
    // Safe: the buffer does not leave the call. Who hangs up is an error of this connection only.
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

/// How many files and sockets this process may have open.
enum Descriptors {
  /// Left for what is no connection. `serve` without a client has ten open: three standard streams, four
  /// listeners, a pipe, and the set that is waited for; an export or a reload opens one more at a time.
  static let reserve = 64
  /// Asked for at most: ten thousand connections and the reserve.
  private static let wanted = 10_064

  /// Asks the system for more than it gives by itself; how many there are then.
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
