import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// A `Write` call: a sequence of commits (Docs/Emulator.md, Write).
///
/// The first message names the database and is answered with a token; each further one is an atomic commit,
/// answered in order. A failing commit ends the stream with its status.
struct WriteStream: Sendable {
  /// An unanswered commit.
  private struct Pending {
    /// The request.
    var request: WireMessage
    /// The time when the request arrived.
    var arrival: Timestamp
    /// The bytes of the request.
    var size: Int
  }

  private let caller: Caller
  private let id: Text
  /// The database; nil until the first message has named it.
  private(set) var database: DatabaseID?
  /// The number of answers so far, whose decimal digits are the token.
  private var answers = 0
  private var pending: [Pending] = []
  private var isHalfClosed = false

  /// Maximum number of waiting commits; SDKs have at most ten in flight.
  private static let mostPending = 1_000
  /// Maximum bytes of waiting commits: several of the largest size.
  private static let mostPendingBytes = 64 << 20

  /// Creates a stream; `id` is sent to the client.
  init(caller: Caller, id: Text) {
    self.caller = caller
    self.id = id
  }

  /// Takes a message.
  mutating func receive(
    _ bytes: [UInt8], _ backend: inout Backend, at now: Timestamp
  ) -> StreamStep {
    do throws(CallStatus) {
      let request = try Self.message(bytes, project: database?.project)
      guard database != nil else {
        return StreamStep(replies: [try shakeHands(request, &backend)])
      }
      let size = pending.reduce(bytes.count) { $0 + $1.size }
      guard pending.isEmpty || pending.count < Self.mostPending && size <= Self.mostPendingBytes
      else {
        throw CallStatus(.failedPrecondition, "too many writes wait on one stream")
      }
      pending.append(Pending(request: request, arrival: now, size: bytes.count))
    } catch {
      return StreamStep(end: error)
    }
    return proceed(&backend, at: now)
  }

  /// Records that the client sends no more.
  mutating func halfClose() -> StreamStep {
    isHalfClosed = true
    return StreamStep(end: pending.isEmpty ? .ok : nil)
  }

  /// Answers waiting commits in order, until one has to wait for locks.
  mutating func proceed(_ backend: inout Backend, at now: Timestamp) -> StreamStep {
    var step = StreamStep()
    guard let database else { return step }
    while let next = pending.first {
      let call = CallContext(
        method: "Write", caller: caller, arrival: next.arrival, now: now)
      do throws(CallStatus) {
        let writes = next.request[.writeRequestWrites]
        var commit: Commit?
        if !writes.isEmpty {
          switch try backend.commit(writes, in: database, for: call) {
          case .done(let done): commit = done
          case .waits(let time):
            step.waitsUntil = time
            return step
          }
        }
        step.replies.append(reply(to: commit))
        pending.removeFirst()
      } catch {
        step.end = error
        return step
      }
    }
    if isHalfClosed { step.end = .ok }
    return step
  }

  private mutating func shakeHands(
    _ request: WireMessage, _ backend: inout Backend
  ) throws(CallStatus) -> WireMessage {
    guard request[.writeRequestStreamId].isEmpty else {
      throw .invalid("Resuming streams is not supported, do not set stream ID.")
    }
    let name = request[.writeRequestDatabase]
    guard !name.isEmpty else {
      throw .invalid("'database' must be set on an initial write request.")
    }
    guard request[.writeRequestWrites].isEmpty else {
      throw .invalid("'writes' must not be set on an initial write request.")
    }
    database = try backend.database(name)
    var reply = reply(to: nil)
    reply[.writeResponseStreamId] = id
    return reply
  }

  private mutating func reply(to commit: Commit?) -> WireMessage {
    let token = Array("\(answers)".utf8)
    answers += 1
    return WireMessage(.writeResponse) {
      $0[.writeResponseStreamToken] = token
      guard let commit else { return }
      $0[.writeResponseWriteResults] = commit.results.map { WireMessage($0) }
      $0[.writeResponseCommitTime] = commit.time
    }
  }

  private static func message(
    _ bytes: [UInt8], project: Text?
  ) throws(CallStatus) -> WireMessage {
    do throws(WireProblem) {
      return try WireMessage(protobuf: bytes, as: .writeRequest, project: project)
    } catch {
      throw CallStatus(error)
    }
  }
}
