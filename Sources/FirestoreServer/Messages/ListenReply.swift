import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// The messages that a `Listen` stream sends (Docs/Emulator.md, Listen).
enum ListenReply {
  /// The target is added.
  static func added(_ target: Int32) -> WireMessage {
    change(.add, of: [target])
  }

  /// The target is removed; with a cause if the server removes it.
  static func removed(_ target: Int32, because cause: CallStatus? = nil) -> WireMessage {
    change(.remove, of: [target], cause: cause)
  }

  /// The client has to forget the documents of the target.
  static func reset(_ target: Int32, at time: Timestamp) -> WireMessage {
    change(.reset, of: [target], at: time)
  }

  /// All documents of the target were sent.
  static func current(_ target: Int32, at time: Timestamp) -> WireMessage {
    change(.current, of: [target], at: time)
  }

  /// The global snapshot, after which clients notify their listeners.
  static func snapshot(at time: Timestamp) -> WireMessage {
    change(.noChange, of: [], at: time)
  }

  /// A document of the target.
  static func document(_ document: WireMessage, of target: Int32) -> WireMessage {
    WireMessage(.listenResponse) {
      $0[.listenResponseDocumentChange] = WireMessage(.documentChange) {
        $0[.documentChangeDocument] = document
        $0[.documentChangeTargetIds] = [target]
      }
    }
  }

  /// A document of the target is not stored.
  static func missing(_ name: Text, of target: Int32, at time: Timestamp) -> WireMessage {
    WireMessage(.listenResponse) {
      $0[.listenResponseDocumentDelete] = WireMessage(.documentDelete) {
        $0[.documentDeleteDocument] = name
        $0[.documentDeleteReadTime] = time
        $0[.documentDeleteRemovedTargetIds] = [target]
      }
    }
  }

  private static func change(
    _ type: TargetChangeType, of targets: [Int32], at time: Timestamp? = nil,
    cause: CallStatus? = nil
  ) -> WireMessage {
    WireMessage(.listenResponse) {
      $0[.listenResponseTargetChange] = WireMessage(.targetChange) {
        $0[.targetChangeTargetChangeType] = type
        $0[.targetChangeTargetIds] = targets
        if let time {
          $0[.targetChangeReadTime] = time
          $0[.targetChangeResumeToken] = ResumeToken.bytes(of: time)
        }
        if let cause { $0[.targetChangeCause] = WireMessage(cause) }
      }
    }
  }
}

extension WireMessage {
  /// Creates the message of a status.
  init(_ status: CallStatus) {
    self.init(.status) {
      $0[.statusCode] = Int32(status.code.rawValue)
      $0[.statusMessage] = Text(status.message)
    }
  }
}
