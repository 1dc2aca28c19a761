import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Calls over any transport.

extension EmulatorServer {
  /// Returns a call that is not answered yet.
  func call(of id: CallID) -> ServerCall? {
    switch id {
    case .exchange(let key): connections[key.connection]?.calls[key.stream]
    case .session(let session): channels.call(of: session)
    }
  }

  /// Takes a call that is not answered yet, to be put back with `put` once it has changed.
  mutating func takeCall(_ id: CallID) -> ServerCall? {
    switch id {
    case .exchange(let key): connections[key.connection]?.takeCall(key.stream)
    case .session(let session): channels.takeCall(of: session)
    }
  }

  /// Keeps a call that is not answered yet.
  mutating func put(_ call: ServerCall, _ id: CallID) {
    switch id {
    case .exchange(let key): connections[key.connection]?.put(call, key.stream)
    case .session(let session): channels.put(call, session)
    }
  }

  /// Drops everything that is known about a call.
  mutating func forget(_ id: CallID) {
    _ = takeCall(id)
    deadlines[id] = nil
    listeners.end(id)
    waiting.removeAll { $0.key == id }
  }

  /// True if a message of a call with one message can wait for the end of the request.
  func hasRoom(for message: [UInt8], of id: CallID) -> Bool {
    switch id {
    case .exchange(let key): connections[key.connection]?.hasRoom(for: message) ?? false
    case .session: false
    }
  }

  /// Sends messages of a call.
  mutating func send(_ messages: [WireMessage], project: Text, _ id: CallID) {
    switch id {
    case .exchange(let key):
      for message in messages {
        connections[key.connection]?.transport.send(
          message: message.protobuf(project: project), on: key.stream)
      }
      pendingOutput.insert(key.connection)
    case .session(let session):
      for message in messages {
        say(message.json(project: project, layout: .compact), in: session)
      }
    }
  }

  /// Ends a call with a status.
  mutating func finish(_ id: CallID, _ status: CallStatus) {
    forget(id)
    switch id {
    case .exchange(let key):
      connections[key.connection]?.transport.finish(key.stream, with: status)
      pendingOutput.insert(key.connection)
    case .session(let session):
      // The session stays until its client has heard of it.
      say(ChannelText.error(status), in: session)
    }
  }
}
