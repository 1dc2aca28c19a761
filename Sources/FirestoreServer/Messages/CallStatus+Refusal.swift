import FirestoreStore
import FirestoreTransport
import FirestoreWire

extension CallStatus {
  /// Creates the status of a refusal by the store.
  init(_ refusal: Refusal) {
    self.init(StatusCode(rawValue: refusal.code) ?? .invalidArgument, refusal.message)
  }

  /// Returns the status of a malformed request.
  static func invalid(_ message: String) -> CallStatus {
    CallStatus(.invalidArgument, message)
  }

  /// Creates the status of a message that cannot be read. The official one for malformed bytes is `UNKNOWN`,
  /// after which clients retry forever.
  init(_ problem: WireProblem) {
    switch problem.kind {
    case .malformed: self = .invalid("the request is malformed")
    case .invalidArgument: self = .invalid(problem.message)
    }
  }

  /// Runs a body and converts its refusal to a status.
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
