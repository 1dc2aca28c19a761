import RulesEval

/// Circumstances of a call besides its message.
struct CallContext: Sendable {
  /// The name of the method.
  var method: String
  /// The caller.
  var caller: Caller
  /// The time when the message arrived, from which waiting for locks counts.
  var arrival: Timestamp
  /// The system's time.
  var now: Timestamp
}

/// The state of a call that may wait for locks.
enum Progress<Result: Sendable>: Sendable {
  /// The call is done.
  case done(Result)
  /// The call waits for the locks of a transaction. It is tried again when a transaction ends and at this
  /// time.
  case waits(until: Timestamp)
}
