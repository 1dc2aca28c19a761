import Testing

@testable import RulesHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A loop over connections, driven turn by turn beside its clients.
@Suite struct ConnectionLoopTests {
  /// Sends back what comes, and closes behind a zero byte.
  private struct Echo: ConnectionHandler {
    var open: Set<Int> = []
    var ended: [Int] = []
    /// Bytes that the server says to hold.
    var held: [Int: Int] = [:]
    private var output: [Int: [UInt8]] = [:]
    private var closing: Set<Int> = []

    mutating func open(_ connection: Int) { open.insert(connection) }

    mutating func receive(_ bytes: [UInt8], on connection: Int) {
      output[connection, default: []] += bytes
      if bytes.contains(0) { closing.insert(connection) }
    }

    mutating func endOfInput(on connection: Int) {
      ended.append(connection)
      output[connection, default: []] += [0x2E]
      closing.insert(connection)
    }

    mutating func closed(_ connection: Int) { open.remove(connection) }
    func heldBytes(of connection: Int) -> Int { held[connection] ?? 0 }
    mutating func tick() {}
    var patience: Int32? { nil }
    mutating func takeReady() -> [Int] { output.keys.sorted() }

    mutating func takeOutput(of connection: Int) -> (bytes: [UInt8], closes: Bool) {
      (output.removeValue(forKey: connection) ?? [], closing.remove(connection) != nil)
    }
  }

  private let listener: ListeningSocket
  private var loop: ConnectionLoop<Echo>
  /// Nothing is ever read from it.
  private let never: [Int32]

  init() throws {
    listener = try ListeningSocket(host: "localhost", port: 0)
    loop = ConnectionLoop([listener], handler: Echo())
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    never = ends
  }

  private func connect() throws -> Connection {
    try Connection(host: "127.0.0.1", port: listener.port, by: .init(seconds: 10))
  }

  private mutating func turns(_ count: Int = 4) {
    for _ in 0..<count { _ = loop.turn(wakingBy: never[0], patience: 20) }
  }

  @Test mutating func whatComesGoesBackAndClientsAreKeptApart() throws {
    let one = try connect()
    let two = try connect()
    try one.send([1, 2, 3], by: .init(seconds: 10))
    try two.send([9], by: .init(seconds: 10))
    turns()
    #expect(loop.count == 2)
    var (first, second): ([UInt8], [UInt8]) = ([], [])
    try one.receive(into: &first, by: .init(seconds: 10))
    try two.receive(into: &second, by: .init(seconds: 10))
    #expect(first == [1, 2, 3])
    #expect(second == [9])
  }

  @Test mutating func aConnectionIsClosedBehindItsLastByte() throws {
    let client = try connect()
    try client.send([7, 0], by: .init(seconds: 10))
    turns()
    var bytes: [UInt8] = []
    try client.receive(into: &bytes, by: .init(seconds: 10))
    #expect(bytes == [7, 0])
    #expect(throws: HTTPProblem.self) {
      try client.receive(into: &bytes, by: .init(seconds: 10))
    }
    #expect(loop.handler.open.isEmpty)
    #expect(loop.count == 0)
  }

  @Test mutating func aClientThatIsGoneIsForgotten() throws {
    do {
      let client = try connect()
      turns()
      #expect(loop.count == 1)
      _ = consume client
    }
    turns()
    #expect(loop.count == 0)
    #expect(loop.handler.open.isEmpty)
  }

  @Test mutating func aMegabyteArrivesWhole() throws {
    let client = try connect()
    let sent = (0..<(1 << 20)).map { UInt8(1 + $0 % 255) }
    var received: [UInt8] = []
    var rest = sent[...]
    while received.count < sent.count {
      if !rest.isEmpty {
        try client.send(Array(rest.prefix(1 << 15)), by: .init(seconds: 10))
        rest = rest.dropFirst(1 << 15)
      }
      turns(2)
      try client.receive(into: &received, by: .init(seconds: 10))
    }
    #expect(received == sent)
  }

  @Test mutating func whoHoldsMostEndsWhereAllHoldTooMuch() throws {
    loop = ConnectionLoop([listener], handler: Echo(), greatestTotal: 1000)
    let one = try connect()
    let two = try connect()
    let three = try connect()
    turns()
    loop.handler.held = [1: 300, 2: 400, 3: 300]
    try one.send([1], by: .init(seconds: 10))
    try two.send([1], by: .init(seconds: 10))
    try three.send([1], by: .init(seconds: 10))
    turns()
    #expect(loop.handler.open == [1, 2, 3])
    loop.handler.held[1] = 301
    try one.send([1], by: .init(seconds: 10))
    turns()
    // Ended connections are not counted any more.
    #expect(loop.handler.open == [1, 3])
    loop.handler.held[3] = 690
    try three.send([1], by: .init(seconds: 10))
    turns()
    #expect(loop.handler.open == [1, 3])
  }

  @Test func aTakenPortIsNamed() throws {
    let problem = #expect(throws: FileProblem.self) {
      _ = try ListeningSocket(host: "127.0.0.1", port: listener.port)
    }
    #expect(problem?.path == "127.0.0.1:\(listener.port)")
    #expect(listener.addresses.contains("127.0.0.1:\(listener.port)"))
  }

  @Test func anUnknownHostIsNamed() {
    let problem = #expect(throws: FileProblem.self) {
      _ = try ListeningSocket(host: "no such host", port: 0)
    }
    #expect(problem?.reason == "the host is not known")
  }
}
