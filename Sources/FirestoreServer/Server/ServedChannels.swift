import FirestoreWire
import RulesEval

/// The WebChannel sessions with their calls.
struct ServedChannels: Sendable {
  private struct Session {
    var channel: Channel
    var call: ServerCall?
    /// The request whose response is the back channel.
    var back: CallKey?
  }

  private var sessions: [ChannelID: Session] = [:]
  /// The times when keep-alives are due or sessions end.
  private var deadlines = Deadlines<ChannelID>()
  private var dice: Dice
  /// Sessions that may have queued arrays.
  private var speakers: Set<ChannelID> = []
  /// The bytes of unacknowledged arrays of all sessions.
  private(set) var keptBytes = 0

  /// Maximum number of sessions, the same as that of gRPC calls on a connection.
  private static let most = 10_000

  /// Creates an empty set of sessions, whose IDs are drawn from a seed.
  init(seed: UInt64) { dice = Dice(seed: seed, 7) }

  /// The IDs of all sessions.
  var ids: [ChannelID] { Array(sessions.keys) }

  /// The session with the most unacknowledged bytes; nil without sessions.
  var largest: ChannelID? {
    sessions.max { $0.value.channel.keptBytes < $1.value.channel.keptBytes }?.key
  }

  // MARK: Sessions

  /// Adds a session; nil if there are too many.
  mutating func open(_ channel: Channel) -> ChannelID? {
    guard sessions.count < Self.most else { return nil }
    let id = ChannelID(&dice)
    sessions[id] = Session(channel: channel)
    deadlines[id] = channel.deadline
    return id
  }

  /// True if a session exists and is of a method.
  func has(_ id: ChannelID, of method: FirestoreMethod) -> Bool {
    sessions[id]?.channel.method == method
  }

  /// Changes a session, which may queue arrays; nil if it does not exist.
  @discardableResult
  mutating func change<Result>(
    _ id: ChannelID, _ body: (inout Channel) -> Result
  ) -> Result? {
    guard let place = sessions.index(forKey: id) else { return nil }
    keptBytes -= sessions.values[place].channel.keptBytes
    defer {
      keptBytes += sessions.values[place].channel.keptBytes
      deadlines[id] = sessions.values[place].channel.deadline
    }
    speakers.insert(id)
    return body(&sessions.values[place].channel)
  }

  /// Removes a session with its call.
  ///
  /// - Returns: The back channel of the session.
  mutating func remove(_ id: ChannelID) -> CallKey? {
    guard let session = sessions.removeValue(forKey: id) else { return nil }
    keptBytes -= session.channel.keptBytes
    speakers.remove(id)
    deadlines[id] = nil
    return session.back
  }

  /// Takes the sessions that may have queued arrays, in a fixed order.
  mutating func takeSpeakers() -> [ChannelID] {
    defer { speakers = [] }
    return speakers.sorted { $0.text < $1.text }
  }

  // MARK: Back channels

  /// The back channel of a session.
  func back(of id: ChannelID) -> CallKey? { sessions[id]?.back }

  /// Sets the back channel of a session.
  ///
  /// - Returns: The previous back channel.
  mutating func setBack(_ key: CallKey, of id: ChannelID) -> CallKey? {
    defer { sessions[id]?.back = key }
    return sessions[id]?.back
  }

  /// Records that the back channel of a session is closed.
  mutating func closeBack(of id: ChannelID) {
    sessions[id]?.back = nil
    sessions[id]?.channel.closeBack()
    deadlines[id] = sessions[id]?.channel.deadline
  }

  /// Takes the output for the back channel of a session; nil if there is none.
  mutating func takeOutput(of id: ChannelID, at now: Timestamp) -> (chunk: [UInt8], ends: Bool)? {
    defer { deadlines[id] = sessions[id]?.channel.deadline }
    return sessions[id]?.channel.takeOutput(at: now)
  }

  // MARK: Calls

  /// Returns the call of a session; nil if the session is over.
  func call(of id: ChannelID) -> ServerCall? { sessions[id]?.call }

  /// Takes out the call of a session.
  mutating func takeCall(of id: ChannelID) -> ServerCall? {
    guard let place = sessions.index(forKey: id) else { return nil }
    defer { sessions.values[place].call = nil }
    return sessions.values[place].call
  }

  /// Stores the call of a session.
  mutating func put(_ call: ServerCall, _ id: ChannelID) { sessions[id]?.call = call }

  // MARK: Time

  /// The earliest time when a keep-alive is due or a session ends.
  var nextDeadline: Timestamp? { deadlines.earliest }

  /// Returns the sessions whose deadlines are reached.
  func due(at now: Timestamp) -> [ChannelID] {
    deadlines.due(at: now).sorted { $0.text < $1.text }
  }
}
