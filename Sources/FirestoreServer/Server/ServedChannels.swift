import FirestoreWire
import RulesEval

/// The sessions of WebChannel with their calls.
struct ServedChannels: Sendable {
  private struct Session {
    var channel: Channel
    var call: ServerCall?
    /// The request that is the back channel.
    var back: CallKey?
  }

  private var sessions: [ChannelID: Session] = [:]
  /// When sessions have something to say, or are over.
  private var deadlines = Deadlines<ChannelID>()
  private var dice: Dice
  /// Sessions that may have something to say.
  private var speakers: Set<ChannelID> = []
  /// Bytes of arrays that clients have not acknowledged, in all sessions.
  private(set) var keptBytes = 0

  /// Sessions at once: as many as calls of gRPC on one connection.
  private static let most = 10_000

  /// Makes no sessions; their IDs are drawn from a seed.
  init(seed: UInt64) { dice = Dice(seed: seed, 7) }

  /// The IDs of all sessions.
  var ids: [ChannelID] { Array(sessions.keys) }

  /// The session that keeps most for its client; nil without sessions.
  var largest: ChannelID? {
    sessions.max { $0.value.channel.keptBytes < $1.value.channel.keptBytes }?.key
  }

  // MARK: Sessions

  /// Begins a session; nil if there are too many.
  mutating func open(_ channel: Channel) -> ChannelID? {
    guard sessions.count < Self.most else { return nil }
    let id = ChannelID(&dice)
    sessions[id] = Session(channel: channel)
    deadlines[id] = channel.deadline
    return id
  }

  /// True if there is a session of a method.
  func has(_ id: ChannelID, of method: FirestoreMethod) -> Bool {
    sessions[id]?.channel.method == method
  }

  /// Changes a session, which may have something to say then; nil if there is none.
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

  /// Drops a session with its call; returns its back channel.
  mutating func remove(_ id: ChannelID) -> CallKey? {
    guard let session = sessions.removeValue(forKey: id) else { return nil }
    keptBytes -= session.channel.keptBytes
    speakers.remove(id)
    deadlines[id] = nil
    return session.back
  }

  /// Takes the sessions that may have something to say, in a fixed order.
  mutating func takeSpeakers() -> [ChannelID] {
    defer { speakers = [] }
    return speakers.sorted { $0.text < $1.text }
  }

  // MARK: Back channels

  /// The back channel of a session.
  func back(of id: ChannelID) -> CallKey? { sessions[id]?.back }

  /// Sets the back channel of a session that has begun one; returns the one in whose place it comes.
  mutating func setBack(_ key: CallKey, of id: ChannelID) -> CallKey? {
    defer { sessions[id]?.back = key }
    return sessions[id]?.back
  }

  /// Notes that the back channel of a session is closed.
  mutating func closeBack(of id: ChannelID) {
    sessions[id]?.back = nil
    sessions[id]?.channel.closeBack()
    deadlines[id] = sessions[id]?.channel.deadline
  }

  /// Takes what the back channel of a session has to carry; nil if that is nothing.
  mutating func takeOutput(of id: ChannelID, at now: Timestamp) -> (chunk: [UInt8], ends: Bool)? {
    defer { deadlines[id] = sessions[id]?.channel.deadline }
    return sessions[id]?.channel.takeOutput(at: now)
  }

  // MARK: Calls

  /// The call of a session that is not over.
  func call(of id: ChannelID) -> ServerCall? { sessions[id]?.call }

  /// Takes the call of a session.
  mutating func takeCall(of id: ChannelID) -> ServerCall? {
    guard let place = sessions.index(forKey: id) else { return nil }
    defer { sessions.values[place].call = nil }
    return sessions.values[place].call
  }

  /// Sets the call of a session.
  mutating func put(_ call: ServerCall, _ id: ChannelID) { sessions[id]?.call = call }

  // MARK: Time

  /// When the first session has something to say, or is over.
  var nextDeadline: Timestamp? { deadlines.earliest }

  /// The sessions whose deadlines have come.
  func due(at now: Timestamp) -> [ChannelID] {
    deadlines.due(at: now).sorted { $0.text < $1.text }
  }
}
