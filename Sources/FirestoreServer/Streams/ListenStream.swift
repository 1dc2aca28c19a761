import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// A `Listen` call: targets that are notified of every change (Docs/Emulator.md, Listen).
///
/// As on the official emulator, all documents of a query are sent after each commit in its collection and
/// after every resume token. A denial removes its target but never ends the stream, because clients would
/// then reconnect forever.
struct ListenStream: Sendable {
  private let caller: Caller
  /// The database; nil until a message has named it.
  private(set) var database: DatabaseID?
  /// The targets in the order in which they were added.
  private var targets: [ListenTarget] = []
  /// Added and removed targets since `takeChanges()`, by their interests.
  private var changes: [(interests: [Interest], isAdded: Bool)] = []

  /// Maximum number of targets of a stream; an app has a few dozen listeners.
  private static let mostTargets = 10_000

  /// Creates a call without targets.
  init(caller: Caller) { self.caller = caller }

  /// Takes a message.
  mutating func receive(
    _ bytes: [UInt8], _ backend: inout Backend, at now: Timestamp
  ) -> StreamStep {
    do throws(CallStatus) {
      let request: WireMessage
      do throws(WireProblem) {
        request = try WireMessage(protobuf: bytes, as: .listenRequest, project: database?.project)
      } catch {
        // An invalid value should end only its target, but the target is not known, so the stream ends.
        throw CallStatus(error)
      }
      return StreamStep(replies: try receive(request, &backend, at: now))
    } catch {
      return StreamStep(end: error)
    }
  }

  private mutating func receive(
    _ request: WireMessage, _ backend: inout Backend, at now: Timestamp
  ) throws(CallStatus) -> [WireMessage] {
    let name = request[.listenRequestDatabase]
    if database == nil, !name.isEmpty { database = try backend.database(name) }
    if let target = request[.listenRequestAddTarget] {
      return try add(target, &backend, at: now)
    }
    guard let number = request[.listenRequestRemoveTarget] else {
      throw .invalid("The request has neither a target to add nor one to remove.")
    }
    return remove(number) ? [ListenReply.removed(number)] : []
  }

  private mutating func remove(_ number: Int32) -> Bool {
    guard let place = targets.firstIndex(where: { $0.number == number }) else { return false }
    changes.append((targets.remove(at: place).interests, false))
    return true
  }

  /// Takes the targets that were added and removed since the last call, by their interests.
  mutating func takeChanges() -> [(interests: [Interest], isAdded: Bool)] {
    defer { changes = [] }
    return changes
  }

  private mutating func add(
    _ message: WireMessage, _ backend: inout Backend, at now: Timestamp
  ) throws(CallStatus) -> [WireMessage] {
    var number = message[.targetTargetId]
    guard number >= 0 else { throw .invalid("The target ID \(number) is negative.") }
    // A client that leaves the number to the server has a single target.
    if number == 0 { number = 1 }
    guard !remove(number) else {
      let used = CallStatus.invalid("The target ID \(number) is used already.")
      return [ListenReply.removed(number, because: used)]
    }
    guard targets.count < Self.mostTargets else {
      return [ListenReply.removed(number, because: .invalid("Too many targets."))]
    }
    do throws(CallStatus) {
      let named = database
      let (id, target) = try CallStatus.of { () throws(Refusal) in
        let id: DatabaseID
        if let named { id = named } else { id = try ListenTarget.database(of: message) }
        return (id, try ListenTarget(message, number: number, in: id))
      }
      if database == nil { try backend.checkUse(of: id) }
      database = id
      targets.append(target)
      changes.append((target.interests, true))
      let token = message[.targetResumeToken] ?? []
      let resumes = !token.isEmpty || message[.targetReadTime] != nil
      return begin(target, in: id, resuming: resumes, &backend, at: now)
    } catch {
      // Google's emulator also confirms a target before it validates it.
      return [ListenReply.added(number), ListenReply.removed(number, because: error)]
    }
  }

  private mutating func begin(
    _ target: ListenTarget, in id: DatabaseID, resuming: Bool, _ backend: inout Backend,
    at now: Timestamp
  ) -> [WireMessage] {
    let time = backend.clock.next(after: now)
    var replies = [ListenReply.added(target.number)]
    do throws(CallStatus) {
      let documents = try documents(
        of: target, in: id, &backend, at: now, time: time, logging: .always)
      if resuming { replies.append(ListenReply.reset(target.number, at: time)) }
      replies += documents
      replies.append(ListenReply.current(target.number, at: time))
      replies.append(ListenReply.snapshot(at: time))
    } catch {
      _ = remove(target.number)
      replies.append(ListenReply.removed(target.number, because: error))
    }
    return replies
  }

  /// Returns the messages about writes that named documents.
  mutating func tell(
    of changed: [DocumentPath], _ backend: inout Backend, at now: Timestamp
  ) -> [WireMessage] {
    guard let id = database else { return [] }
    let time = backend.clock.next(after: now)
    let paths = Set(changed)
    var replies: [WireMessage] = []
    var hasNews = false
    for target in targets.filter({ $0.isOfDocuments }) + targets.filter({ !$0.isOfDocuments }) {
      guard target.concerns(paths) else { continue }
      if !target.isOfDocuments { replies.append(ListenReply.reset(target.number, at: time)) }
      do throws(CallStatus) {
        replies += try documents(
          of: target, in: id, &backend, at: now, time: time, logging: .unlessAllowed)
        if !target.isOfDocuments {
          replies.append(ListenReply.current(target.number, at: time))
        }
        hasNews = true
      } catch {
        _ = remove(target.number)
        replies.append(ListenReply.removed(target.number, because: error))
      }
    }
    if hasNews { replies.append(ListenReply.snapshot(at: time)) }
    return replies
  }

  /// Returns the documents of a target. Throws if the rules deny them.
  private func documents(
    of target: ListenTarget, in id: DatabaseID, _ backend: inout Backend, at now: Timestamp,
    time: Timestamp, logging: Backend.Logging
  ) throws(CallStatus) -> [WireMessage] {
    let call = CallContext(method: "Listen", caller: caller, arrival: now, now: now)
    switch target.subject {
    case .documents(let paths):
      try backend.authorize(.get(paths), in: id, time: time, for: call, logging: logging)
      return paths.map { path in
        guard let document = backend.document(path, in: id) else {
          return ListenReply.missing(id.name(of: path), of: target.number, at: time)
        }
        return ListenReply.document(id.message(of: document), of: target.number)
      }
    case .query(let query):
      try backend.authorize(
        .list(query.listenersQuery(in: id)), in: id, time: time, for: call, logging: logging)
      let store = backend.store(id)
      let found = try CallStatus.of { () throws(Refusal) in try store.runListening(query) }
      return found.map { ListenReply.document(id.message(of: $0), of: target.number) }
    }
  }
}

extension ListenTarget {
  /// True if a write of one of the documents concerns the target.
  fileprivate func concerns(_ changed: Set<DocumentPath>) -> Bool {
    switch subject {
    case .documents(let paths): paths.contains { changed.contains($0) }
    case .query(let query): changed.contains { query.covers($0) }
    }
  }
}
