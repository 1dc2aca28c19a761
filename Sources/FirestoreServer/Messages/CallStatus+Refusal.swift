import FirestoreStore
import FirestoreTransport
import FirestoreWire

extension CallStatus {
  /// The status of what the store refuses.
  init(_ refusal: Refusal) {
    self.init(StatusCode(rawValue: refusal.code) ?? .invalidArgument, refusal.message)
  }

  /// A malformed request.
  static func invalid(_ message: String) -> CallStatus {
    CallStatus(.invalidArgument, message)
  }

  /// The status of a message that cannot be read. The official one of malformed bytes is `UNKNOWN`, which
  /// clients repeat for ever.
  init(_ problem: WireProblem) {
    switch problem.kind {
    case .malformed: self = .invalid("the request is malformed")
    case .invalidArgument: self = .invalid(problem.message)
    }
  }

  /// Calls the store; its refusal becomes a status.
  static func of<Result>(
    _ body: () throws(Refusal) -> Result
  ) throws(CallStatus) -> Result {
    do throws(Refusal) {
      return try body()
    } catch {
      throw CallStatus(error)
    }
  }
}
