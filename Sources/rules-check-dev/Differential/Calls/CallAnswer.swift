import FirestoreTransport

/// The answer of one side to a step, in texts that do not depend on clock and project.
struct CallAnswer: Sendable {
  /// The messages of the call, or of the step's stream.
  var messages: [String] = []
  /// The status with which that call ended; nil if it goes on.
  var status: CallStatus?
  /// The messages that listeners received meanwhile, by user.
  var heard: [CallUser: [String]] = [:]

  /// The kind of outcome: `OK`, `PERMISSION_DENIED`, `goes on`.
  var outcome: String { status?.code.name ?? "goes on" }

  /// The answer as lines.
  var lines: [String] {
    var lines = messages
    if let status { lines.append("\(status.code.name) \(status.message)") }
    for (user, texts) in heard.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines += texts.map { "\(user.rawValue) hears \($0)" }
    }
    return lines
  }
}
