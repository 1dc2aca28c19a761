import FirestoreServer
import FirestoreStore
import FirestoreTransport
import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// The live page of an emulator: keeps its last requests, answers the page's HTTP requests, and sends new
/// requests to open pages as server-sent events.
struct LiveView {
  /// A function that adds a request to a suite in a file, and returns the number of added tests and the file.
  typealias Recorder = (DecidedCall) throws(UsageProblem) -> (count: Int, file: String)

  /// An event stream to an open page.
  private struct Stream {
    var id: PassedRequest.ID
    /// The number of the next request to send.
    var next: Int
    /// The number of bytes sent.
    var sent = 0
  }

  private var history = LiveHistory()
  private var streams: [Stream] = []
  private let gate: LiveGuard
  private let recorder: Recorder?
  /// The start time of the emulator, which distinguishes its request numbers from those of an earlier start.
  private let start: UInt64
  private let mostStreamBytes: Int

  /// Maximum open streams: those of two browsers, which open six connections to a host each, and some more.
  static let mostStreams = 16
  /// Maximum bytes of one stream, so that no more can wait for a page that does not read. A request takes
  /// some 250, so a stream has room for four times the requests that are kept. After its end a browser
  /// connects again by itself, and says what it has seen.
  static let mostStreamBytes = 1 << 20

  /// Creates the view of an emulator on a host.
  init(
    host: String, start: UInt64, recorder: Recorder? = nil,
    mostStreamBytes: Int = LiveView.mostStreamBytes
  ) {
    self.mostStreamBytes = mostStreamBytes
    gate = LiveGuard(host: host)
    self.start = start
    self.recorder = recorder
  }

  /// Adds a request to the history.
  mutating func add(_ call: DecidedCall) { history.add(call) }

  /// Answers HTTP requests of pages, and sends events of new requests.
  mutating func serve(_ server: inout EmulatorServer) {
    for passed in server.takePassedRequests() {
      let request = passed.request
      if let refusal = gate.refusal(request) {
        server.send(.whole(LivePage.refusal(403, refusal)), to: passed.id)
      } else if request.method == "GET", Self.route(request) == ["events"] {
        begin(request, passed.id, &server)
      } else {
        let response = answer(request, &server)
        server.send(.whole(response), to: passed.id)
      }
    }
    if streams.isEmpty { return }
    streams.removeAll { !server.isOpen($0.id) }
    var events: [Int: [UInt8]] = [:]
    for place in streams.indices { streams[place] = told(streams[place], &events, &server) }
  }

  private static func route(_ request: HTTPRequest) -> [String] {
    Array(request.segments.dropFirst())
  }

  // MARK: Whole answers

  private func answer(_ request: HTTPRequest, _ server: inout EmulatorServer) -> HTTPResponse {
    let route = Self.route(request)
    switch (request.method, route.first, route.count) {
    case ("GET", nil, 0): return LivePage.page
    case ("GET", "style.css", 1): return LivePage.style
    case ("GET", "script.js", 1): return LivePage.script
    case ("GET", "coverage", 1): return coverage(request, &server)
    case ("GET", "requests", 2):
      guard let entry = entry(route[1]) else { return LivePage.gone }
      return LivePage.json(LiveRequestJSON(entry).detail(canRecord: recorder != nil))
    case ("POST", "record", 2):
      guard let recorder else { return LivePage.refusal(404, "Not Found") }
      guard let entry = entry(route[1]) else { return LivePage.gone }
      return record(entry.call, by: recorder)
    default: return LivePage.refusal(404, "Not Found")
    }
  }

  private func entry(_ number: String) -> LiveHistory.Entry? {
    Int(number).flatMap { history[$0] }
  }

  private func record(_ call: DecidedCall, by recorder: Recorder) -> HTTPResponse {
    do throws(UsageProblem) {
      let (count, file) = try recorder(call)
      let text =
        count == 0 ? "\(file) has a test of that name." : "Added to \(file)."
      return LivePage.json(.object([("message", .string(text))]))
    } catch {
      return LivePage.json(.object([("message", .string(error.message))]))
    }
  }

  private func coverage(_ request: HTTPRequest, _ server: inout EmulatorServer) -> HTTPResponse {
    func value(_ name: String) -> Text { Text(request.query.last { $0.0 == name }?.1 ?? "") }
    let id = DatabaseID(project: value("project"), database: DatabaseName(value("database")))
    guard id.database.problem == nil, let (rules, coverage) = server.coverage(of: id) else {
      return LivePage.refusal(404, "The database has no rules that compile.")
    }
    return LivePage.fragment(CoveragePage(CoverageReport(of: rules, coverage)).sections)
  }

  // MARK: Events

  private mutating func begin(
    _ request: HTTPRequest, _ id: PassedRequest.ID, _ server: inout EmulatorServer
  ) {
    streams.removeAll { !server.isOpen($0.id) }
    guard streams.count < Self.mostStreams else {
      return server.send(.whole(LivePage.refusal(503, "Too many pages are open.")), to: id)
    }
    server.send(.head(LivePage.events), to: id)
    let seen = request.value(of: "last-event-id").flatMap { number(of: $0) }
    // The milliseconds after which a disconnected browser connects again, and for a new page the sign that it
    // has nothing yet.
    var text = "retry: 500\n\n"
    if seen == nil { text += "event: start\ndata: \(history.numbers.lowerBound)\n\n" }
    server.send(.part(Array(text.utf8)), to: id)
    streams.append(Stream(id: id, next: seen.map { $0 + 1 } ?? 1))
  }

  /// Returns the request number in an event ID of this start; nil if it is of another one.
  private func number(of id: String) -> Int? {
    let parts = id.split(separator: "-")
    guard parts.count == 2, UInt64(parts[0]) == start, let number = Int(parts[1]),
      (0..<history.next).contains(number)
    else { return nil }
    return number
  }

  /// Sends a stream the events that it has not had, and returns the updated stream. Each event is encoded
  /// once for all streams: `events` caches them by number.
  private func told(
    _ stream: Stream, _ events: inout [Int: [UInt8]], _ server: inout EmulatorServer
  ) -> Stream {
    var stream = stream
    stream.next = max(stream.next, history.numbers.lowerBound)
    while stream.next < history.next {
      guard stream.sent < mostStreamBytes else {
        server.send(.end, to: stream.id)
        return stream
      }
      if let event = events[stream.next] ?? event(stream.next) {
        events[stream.next] = event
        stream.sent += event.count
        server.send(.part(event), to: stream.id)
      }
      stream.next += 1
    }
    return stream
  }

  /// Returns the event of a request; nil if the request was dropped.
  private func event(_ number: Int) -> [UInt8]? {
    history[number].map { entry in
      Array("id: \(start)-\(number)\ndata: \(LiveRequestJSON(entry).row.compact)\n\n".utf8)
    }
  }
}
