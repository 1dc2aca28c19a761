public import FirestoreStore
import FirestoreTransport
import FirestoreWire
public import RulesEval
public import RulesLang

/// A Firestore emulator without sockets and clock: bytes of connections in, bytes out.
///
/// The owner opens connections, passes received bytes to `receive`, sends the bytes of `takeOutput`, and
/// calls `tick` at `nextDeadline`. Events happen in the order of these calls.
public struct EmulatorServer: Sendable {
  /// The open connections.
  var connections: [ConnectionID: ServedConnection] = [:]
  /// The WebChannel sessions.
  var channels: ServedChannels
  private var backend: Backend
  private let endpoints: Endpoints
  private let limits: TransportLimits
  /// The `Listen` calls.
  var listeners = Listeners<CallID>()
  /// The calls that wait for locks, in the order in which they began to wait, with the time of their next
  /// try.
  var waiting: [(key: CallID, until: Timestamp)] = []
  /// The deadlines that clients gave their calls.
  var deadlines = Deadlines<CallID>()
  /// Connections that may have output.
  var pendingOutput: Set<ConnectionID> = []
  /// The number of `Write` calls so far.
  private var writeStreams = 0
  /// Requests that the owner answers.
  private var passed = PassedRequests()
  private let passesOn: (@Sendable (HTTPRequest) -> Bool)?
  /// True once a client has asked the server to end.
  public private(set) var isShutDown = false

  /// Maximum bytes that wait on a connection for a client that does not read; above it the connection ends.
  let mostQueuedBytes: Int

  /// Creates a server.
  public init(_ configuration: ServerConfiguration) {
    let general = configuration.generalRules.map { [$0] } ?? []
    var options = Backend.Options()
    options.keepsDecisions = configuration.keepsDecisions
    options.explainsDenials = configuration.explainsDenials
    options.countsCoverage =
      configuration.coverageReport != nil || configuration.coveragePage != nil
    options.onlyProject = configuration.onlyProject.map { Text($0) }
    options.seed = configuration.seed
    options.documents = configuration.documents
    backend = Backend(
      rulebook: Rulebook(named: configuration.rules.mapValues { [$0] }, general: general),
      options: options)
    endpoints = Endpoints(
      address: configuration.address, coverageReport: configuration.coverageReport,
      coveragePage: configuration.coveragePage, exportWriter: configuration.exportWriter,
      importReader: configuration.importReader, hubExporter: configuration.hubExporter)
    limits = configuration.limits
    mostQueuedBytes = configuration.queuedBytes
    channels = ServedChannels(seed: configuration.seed)
    passesOn = configuration.passesOn
  }

  // MARK: Connections

  /// Opens a connection.
  public mutating func open(_ id: ConnectionID) {
    connections[id] = ServedConnection(transport: ServerConnection(limits: limits))
  }

  /// Takes bytes received on a connection.
  public mutating func receive(_ bytes: [UInt8], on id: ConnectionID, at now: Timestamp) {
    let events = connections[id]?.transport.receive(bytes) ?? []
    handle(events, on: id, at: now)
  }

  /// Records that the client of a connection sends nothing more.
  public mutating func endOfInput(on id: ConnectionID, at now: Timestamp) {
    let events = connections[id]?.transport.endOfInput() ?? []
    handle(events, on: id, at: now)
  }

  /// Ends the calls of a connection that was closed.
  public mutating func closed(_ id: ConnectionID) {
    for stream in connections[id]?.calls.keys.map({ $0 }) ?? [] {
      forget(.exchange(CallKey(connection: id, stream: stream)))
    }
    for stream in connections[id]?.backs.keys.map({ $0 }) ?? [] {
      loseBack(CallKey(connection: id, stream: stream))
    }
    connections[id] = nil
    pendingOutput.remove(id)
    passed.end(id)
  }

  /// Ends all connections with a notice to the clients.
  public mutating func shutDown(at now: Timestamp) {
    endChannels()
    for id in Array(connections.keys) {
      let events = connections[id]?.transport.shutDown() ?? []
      handle(events, on: id, at: now)
    }
  }

  /// Handles what is due: deadlines of calls, ends of waits for locks, ends of transactions.
  public mutating func tick(at now: Timestamp) {
    backend.expireTransactions(at: now)
    for id in deadlines.due(at: now) { giveUp(id) }
    tickChannels(at: now)
    settle(at: now)
  }

  /// The time of the next call of `tick`; nil if nothing is due.
  public var nextDeadline: Timestamp? {
    var next = backend.nextExpiry
    if let time = deadlines.earliest { next = min(next ?? time, time) }
    for (_, time) in waiting { next = min(next ?? time, time) }
    if let time = channels.nextDeadline { next = min(next ?? time, time) }
    return next
  }

  /// The connections that may have output.
  public var connectionsWithOutput: [ConnectionID] {
    pendingOutput.sorted { $0.number < $1.number }
  }

  /// True if a connection may have output.
  public var hasOutput: Bool { !pendingOutput.isEmpty }

  /// Takes the bytes to send on a connection, and whether it has to be closed after them.
  public mutating func takeOutput(of id: ConnectionID) -> (bytes: [UInt8], closes: Bool) {
    pendingOutput.remove(id)
    guard connections[id] != nil else { return ([], true) }
    let bytes = connections[id]?.transport.takeOutput() ?? []
    let isOver = connections[id]?.transport.isFinished ?? true
    let isStuck = (connections[id]?.transport.queuedBytes ?? 0) > mostQueuedBytes
    return (bytes, isOver || isStuck)
  }

  /// The bytes that a connection holds: untaken answers and incomplete requests.
  public func heldBytes(of id: ConnectionID) -> Int { connections[id]?.heldBytes ?? 0 }

  // MARK: Requests of the owner

  /// Takes the requests that the owner has to answer and that arrived since the last call.
  public mutating func takePassedRequests() -> [PassedRequest] { passed.take() }

  /// True if a passed request is neither fully answered nor given up by its client.
  public func isOpen(_ id: PassedRequest.ID) -> Bool { passed.isOpen(id) }

  /// Sends a step of the answer to a passed request, without the headers that let pages of other origins read
  /// it. Ignored if the request is not open.
  public mutating func send(_ step: PassedRequest.AnswerStep, to id: PassedRequest.ID) {
    guard passed.isOpen(id) else { return }
    connections[id.key.connection]?.transport.send(step, on: id.key.stream)
    pendingOutput.insert(id.key.connection)
    switch step {
    case .whole, .end: passed.end(id.key)
    case .head, .part: break
    }
  }

  // MARK: Reports

  /// Takes the requests that were decided since the last call.
  public mutating func takeDecisions() -> [DecidedCall] {
    if backend.decisions.isEmpty { return [] }
    defer { backend.decisions = [] }
    return backend.decisions
  }

  /// The numbers of requests by outcome since the server was started.
  public var decisionCounts: DecisionCounts { backend.counts }

  /// Takes the notices for standard error since the last call.
  public mutating func takeNotices() -> [String] {
    defer { backend.notices = [] }
    return backend.notices
  }

  /// The number of open `Listen` calls.
  public var listenerCount: Int { listeners.count }

  /// True if decided requests wait to be counted for coverage.
  public var hasUncounted: Bool { backend.hasUncounted }

  /// Counts the coverage of kept requests, for idle moments.
  public mutating func countCoverage() { backend.countCoverage() }

  /// Returns the rules of a database with their coverage; nil if there are none that compile.
  public mutating func coverage(of id: DatabaseID) -> (rules: Checked, coverage: RuleCoverage)? {
    guard let rules = backend.rulebook.release(of: id).rules else { return nil }
    return (rules, backend.coverage(of: id) ?? RuleCoverage(rules.ruleset))
  }

  /// The documents of a database.
  public func documents(of id: DatabaseID) -> Documents { backend.documents(of: id) }

  /// The documents of all databases.
  public var databases: StoredDatabases { backend.databases }

  /// Replaces the default rules, which databases have until rules are uploaded.
  public mutating func replaceRules(_ rules: [DatabaseName: RulesFile], general: RulesFile?) {
    backend.replaceDefaultRules(
      named: rules.mapValues { [$0] }, general: general.map { [$0] } ?? [])
  }

  // MARK: Events

  /// The HTTP/2 error code of a cancelled stream.
  private static let cancelCode: UInt32 = 8

  private mutating func handle(
    _ events: [ConnectionEvent], on id: ConnectionID, at now: Timestamp
  ) {
    pendingOutput.insert(id)
    for event in events {
      switch event {
      case .request(let request, let stream):
        answer(request, CallKey(connection: id, stream: stream), at: now)
      case .call(let head, let stream):
        begin(head, .exchange(CallKey(connection: id, stream: stream)), at: now)
      case .message(let bytes, let stream):
        take(bytes, .exchange(CallKey(connection: id, stream: stream)), at: now)
      case .halfClosed(let stream):
        halfClose(.exchange(CallKey(connection: id, stream: stream)), at: now)
      case .cancelled(let stream):
        forget(.exchange(CallKey(connection: id, stream: stream)))
        loseBack(CallKey(connection: id, stream: stream))
        passed.end(CallKey(connection: id, stream: stream))
      }
      settle(at: now)
    }
  }

  private mutating func begin(_ head: CallHead, _ key: CallID, at now: Timestamp) {
    guard let method = FirestoreMethod(path: head.path) else {
      return finish(key, CallStatus(.unimplemented, "Method not found: \(head.path)"))
    }
    if let timeout = head.timeout {
      if timeout <= Self.hopelessTimeout { return giveUp(key) }
      deadlines[key] = now.adding(nanoseconds: timeout)
    }
    begin(method, head.metadata, key, at: now)
  }

  /// Nanoseconds of a client's timeout up to which a call is reset at once. Of twelve calls each, the
  /// official emulator reset all with 100 µs or less, and nine with 200 µs.
  private static let hopelessTimeout: UInt64 = 100_000

  /// Resets a call whose client does not wait any longer.
  private mutating func giveUp(_ id: CallID) {
    forget(id)
    guard case .exchange(let key) = id else { return }
    connections[key.connection]?.transport.reset(key.stream, code: Self.cancelCode)
    pendingOutput.insert(key.connection)
  }

  /// Begins a call of a method.
  mutating func begin(
    _ method: FirestoreMethod, _ headers: [HTTPHeader], _ key: CallID, at now: Timestamp
  ) {
    let caller: Caller
    do throws(CallStatus) {
      caller = try Caller(headers: headers)
    } catch {
      return finish(key, error)
    }
    let call: ServerCall
    switch method {
    case .write:
      call = .write(WriteStream(caller: caller, id: Text("\(writeStreams)")))
      writeStreams += 1
    case .listen:
      call = .listen(ListenStream(caller: caller))
      listeners.begin(key)
    case .getDocument, .listDocuments, .createDocument, .updateDocument, .deleteDocument,
      .batchGetDocuments, .beginTransaction, .commit, .rollback, .runQuery, .runAggregationQuery,
      .partitionQuery, .listCollectionIDs, .batchWrite:
      call = .unary(UnaryCall(method: method, caller: caller, arrival: now, form: .grpc))
    }
    put(call, key)
  }

  /// Takes a message of a call.
  mutating func take(_ bytes: [UInt8], _ key: CallID, at now: Timestamp) {
    guard let call = takeCall(key) else { return }
    switch call {
    case .unary(var unary):
      guard unary.message == nil else {
        return finish(key, CallStatus(.internal, "Too many requests"))
      }
      guard hasRoom(for: bytes, of: key) else {
        return finish(
          key, CallStatus(.failedPrecondition, "too many requests wait on one connection"))
      }
      unary.message = bytes
      put(.unary(unary), key)
    case .write(var stream):
      let step = stream.receive(bytes, &backend, at: now)
      put(.write(stream), key)
      carryOut(step, project: stream.database?.project, key, at: now)
    case .listen(var stream):
      let step = stream.receive(bytes, &backend, at: now)
      listeners.note(&stream, of: key)
      put(.listen(stream), key)
      carryOut(step, project: stream.database?.project, key, at: now)
    }
  }

  private mutating func halfClose(_ key: CallID, at now: Timestamp) {
    guard let call = takeCall(key) else { return }
    switch call {
    case .unary(var unary):
      guard let message = unary.message else {
        return finish(key, CallStatus(.internal, "Half-closed without a request"))
      }
      do throws(WireProblem) {
        unary.request = try WireMessage(protobuf: message, as: unary.method.request)
      } catch {
        return finish(key, CallStatus(error))
      }
      unary.message = []
      unary.arrival = now
      put(.unary(unary), key)
      run(unary, key, at: now)
    case .write(var stream):
      let step = stream.halfClose()
      put(.write(stream), key)
      carryOut(step, project: nil, key, at: now)
    case .listen:
      finish(key, .ok)
    }
  }

  private mutating func answer(_ request: HTTPRequest, _ key: CallKey, at now: Timestamp) {
    if passesOn?(request) == true { return passed.add(request, key) }
    switch endpoints.answer(request, &backend, at: now) {
    case .response(let response): respond(response, to: request, key)
    case .shutdown(let response):
      isShutDown = true
      respond(response, to: request, key)
    case .call(let method, let message):
      do throws(CallStatus) {
        let caller = try Caller(headers: request.headers)
        let unary = UnaryCall(
          method: method, caller: caller, request: message, arrival: now,
          form: .rest(request, key))
        put(.unary(unary), .exchange(key))
        run(unary, .exchange(key), at: now)
      } catch {
        respond(.error(error), to: request, key)
      }
    case .channel(let channel): answer(channel, to: request, key, at: now)
    }
  }

  private mutating func respond(
    _ response: HTTPResponse, to request: HTTPRequest, _ key: CallKey
  ) {
    connections[key.connection]?.transport.respond(
      CrossOrigin.allow(response, for: request), to: key.stream)
    pendingOutput.insert(key.connection)
  }

  // MARK: Calls

  private mutating func run(_ call: UnaryCall, _ key: CallID, at now: Timestamp) {
    guard let request = call.request else { return }
    let context = CallContext(
      method: call.method.name.description, caller: call.caller, arrival: call.arrival, now: now)
    let project = request.project
    do throws(CallStatus) {
      switch try backend.answer(call.method, request, for: context) {
      case .waits(let time): waiting.append((key, time))
      case .done(let messages):
        tellListeners(at: now)
        switch call.form {
        case .grpc:
          send(messages, project: project, key)
          finish(key, .ok)
        case .rest(let request, let place):
          forget(key)
          respond(
            REST.response(to: call.method, messages, project: project), to: request, place)
        }
      }
    } catch {
      switch call.form {
      case .grpc: finish(key, error)
      case .rest(let request, let place):
        forget(key)
        respond(.error(error), to: request, place)
      }
    }
  }

  private mutating func carryOut(
    _ step: StreamStep, project: Text?, _ key: CallID, at now: Timestamp
  ) {
    tellListeners(at: now)
    send(step.replies, project: project ?? Text(), key)
    if let status = step.end { return finish(key, status) }
    guard let time = step.waitsUntil else { return }
    if let place = waiting.firstIndex(where: { $0.key == key }) {
      waiting[place].until = time
    } else {
      waiting.append((key, time))
    }
  }

  // MARK: Consequences

  /// Notifies listeners of writes, and retries calls that waited for locks, until no transaction ends any
  /// more.
  private mutating func settle(at now: Timestamp) {
    repeat {
      tellListeners(at: now)
      let isFree = backend.hasEndedTransactions
      backend.hasEndedTransactions = false
      let due = waiting.filter { isFree || $0.until <= now }
      if due.isEmpty { break }
      waiting.removeAll { isFree || $0.until <= now }
      for (key, _) in due { proceed(key, at: now) }
    } while backend.hasEndedTransactions
    tellListeners(at: now)
    sendToChannels(at: now)
  }

  private mutating func proceed(_ key: CallID, at now: Timestamp) {
    guard let call = takeCall(key) else { return }
    switch call {
    case .unary(let unary):
      put(call, key)
      run(unary, key, at: now)
    case .write(var stream):
      let step = stream.proceed(&backend, at: now)
      put(.write(stream), key)
      carryOut(step, project: stream.database?.project, key, at: now)
    case .listen:
      put(call, key)
    }
  }

  private mutating func tellListeners(at now: Timestamp) {
    for (id, paths) in backend.takeChanges() {
      for key in listeners.concerned(byWritesOf: paths, in: id) {
        guard case .listen(var stream)? = call(of: key) else { continue }
        let replies = stream.tell(of: paths, &backend, at: now)
        listeners.note(&stream, of: key)
        put(.listen(stream), key)
        if !replies.isEmpty { send(replies, project: id.project, key) }
      }
    }
  }
}

extension WireMessage {
  /// The project of the resource that a request names; empty if the name is malformed.
  fileprivate var project: Text {
    let parts = (resource ?? Text()).bytes.split(separator: UInt8(ascii: "/"))
    return parts.count > 1 ? Text(wellFormed: Array(parts[1])) : Text()
  }
}

extension Timestamp {
  /// Returns the time some nanoseconds later, limited to the last possible one.
  fileprivate func adding(nanoseconds: UInt64) -> Timestamp {
    let sum = UInt64(nanos) + nanoseconds % 1_000_000_000
    let seconds = Int64(nanoseconds / 1_000_000_000 + sum / 1_000_000_000)
    return Timestamp(epochSeconds: epochSeconds + seconds, nanos: Int64(sum % 1_000_000_000))
      ?? .latest
  }
}
