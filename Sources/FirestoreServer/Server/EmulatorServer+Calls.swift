import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

// Calls, independent of their transport.

extension EmulatorServer {
  /// Returns an unanswered call.
  func call(of id: CallID) -> ServerCall? {
    switch id {
    case .exchange(let key): connections[key.connection]?.calls[key.stream]
    case .session(let session): channels.call(of: session)
    }
  }

  /// Takes out an unanswered call to change it; `put` stores it again.
  mutating func takeCall(_ id: CallID) -> ServerCall? {
    switch id {
    case .exchange(let key): connections[key.connection]?.takeCall(key.stream)
    case .session(let session): channels.takeCall(of: session)
    }
  }

  /// Stores an unanswered call.
  mutating func put(_ call: ServerCall, _ id: CallID) {
    switch id {
    case .exchange(let key): connections[key.connection]?.put(call, key.stream)
    case .session(let session): channels.put(call, session)
    }
  }

  /// Drops a call with all its state.
  mutating func forget(_ id: CallID) {
    _ = takeCall(id)
    deadlines[id] = nil
    listeners.end(id)
    waiting.removeAll { $0.key == id }
  }

  /// True if the message of a unary call can be kept until the request ends.
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
      // The session stays open until its client has received the error.
      say(ChannelText.error(status), in: session)
    }
  }
}
