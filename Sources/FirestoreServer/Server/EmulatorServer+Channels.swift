import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// WebChannel: calls whose messages are spread over many requests (Docs/Emulator.md, WebChannel).

extension EmulatorServer {
  // MARK: Requests

  /// Handles a WebChannel request.
  mutating func answer(
    _ request: ChannelRequest, to http: HTTPRequest, _ key: CallKey, at now: Timestamp
  ) {
    switch request {
    case .open(let method, let headers, let messages):
      var channel = Channel(method, first: messages.first, at: now)
      guard let taken = channel.receive(messages, acknowledged: nil, at: now) else {
        return respond(.unknownChannel, to: http, key)
      }
      guard let id = channels.open(channel) else {
        return respond(.plain("Too many sessions\n", status: 503), to: http, key)
      }
      respond(.plain(ChannelText.opening(id)), to: http, key)
      begin(method, headers, .session(id), at: now)
      deliver(taken.texts, of: method, in: id, at: now)
    case .messages(let id, let method, let acknowledged, let messages):
      guard channels.has(id, of: method),
        let taken = channels.change(
          id, { $0.receive(messages, acknowledged: acknowledged, at: now) }) ?? nil
      else { return respond(.unknownChannel, to: http, key) }
      respond(.plain(taken.receipt), to: http, key)
      deliver(taken.texts, of: method, in: id, at: now)
    case .back(let id, let method, let wishes):
      guard channels.has(id, of: method),
        channels.change(id, { $0.openBack(wishes, at: now) }) == true
      else { return respond(.unknownChannel, to: http, key) }
      openBack(of: id, to: http, key)
    case .end(let id, let method):
      guard channels.has(id, of: method) else { return respond(.unknownChannel, to: http, key) }
      endChannel(id)
      respond(.plain(""), to: http, key)
    case .malformed: respond(.plain("Bad request\n", status: 400), to: http, key)
    }
  }

  private mutating func respond(
    _ response: HTTPResponse, to request: HTTPRequest, _ key: CallKey
  ) {
    connections[key.connection]?.transport.respond(
      CrossOrigin.allowChannel(response, for: request), to: key.stream)
    pendingOutput.insert(key.connection)
  }

  /// Passes the messages of a session to its call, in the form of gRPC messages.
  private mutating func deliver(
    _ texts: [[UInt8]], of method: FirestoreMethod, in id: ChannelID, at now: Timestamp
  ) {
    for text in texts {
      do throws(WireProblem) {
        // With an empty project ID, references keep their own project IDs.
        let message = try WireMessage(jsonText: text, as: method.request, project: Text())
        take(message.protobuf(project: Text()), .session(id), at: now)
      } catch {
        if call(of: .session(id)) != nil { finish(.session(id), CallStatus(error)) }
      }
    }
  }

  // MARK: Back channels

  private mutating func openBack(of id: ChannelID, to request: HTTPRequest, _ key: CallKey) {
    if let old = channels.setBack(key, of: id) { endBack(old) }
    connections[key.connection]?.backs[key.stream] = id
    connections[key.connection]?.transport.begin(
      CrossOrigin.allowChannel(.plain(""), for: request), to: key.stream)
    pendingOutput.insert(key.connection)
  }

  private mutating func endBack(_ key: CallKey) {
    connections[key.connection]?.backs[key.stream] = nil
    connections[key.connection]?.transport.endChunks(on: key.stream)
    pendingOutput.insert(key.connection)
  }

  /// Closes the back channel that a response carries, if it carries one, because its client is gone.
  mutating func loseBack(_ key: CallKey) {
    guard let id = connections[key.connection]?.backs.removeValue(forKey: key.stream) else {
      return
    }
    channels.closeBack(of: id)
  }

  /// Sends the queued arrays of sessions that have open back channels.
  mutating func sendToChannels(at now: Timestamp) {
    for id in channels.takeSpeakers() {
      guard let key = channels.back(of: id), let output = channels.takeOutput(of: id, at: now)
      else { continue }
      connections[key.connection]?.transport.sendChunk(output.chunk, on: key.stream)
      pendingOutput.insert(key.connection)
      if output.ends {
        channels.closeBack(of: id)
        endBack(key)
      }
    }
  }

  // MARK: Sessions

  /// Queues an array in a session. If all sessions together keep too many bytes, the largest ones end.
  mutating func say(_ element: [UInt8], in id: ChannelID) {
    channels.change(id) { $0.say(element) }
    while channels.keptBytes > mostQueuedBytes, let largest = channels.largest {
      endChannel(largest)
    }
  }

  /// Queues keep-alives in silent sessions, and ends unused ones.
  mutating func tickChannels(at now: Timestamp) {
    for id in channels.due(at: now) where channels.change(id, { $0.tick(at: now) }) == false {
      endChannel(id)
    }
  }

  /// Ends a session and its call.
  private mutating func endChannel(_ id: ChannelID) {
    forget(.session(id))
    if let back = channels.remove(id) { endBack(back) }
  }

  /// Ends all sessions.
  mutating func endChannels() {
    for id in channels.ids { endChannel(id) }
  }
}

extension HTTPResponse {
  /// The response if the session is unknown or over, or the request acknowledges or skips messages that it
  /// may not. Clients search it for `Unknown SID`, which may not be at its beginning, and then open another
  /// session.
  fileprivate static let unknownChannel = plain("Error: Unknown SID\n", status: 400)
}
