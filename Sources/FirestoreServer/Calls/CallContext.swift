import RulesEval

/// Circumstances of a call besides its message.
struct CallContext: Sendable {
  /// The name of the method.
  var method: String
  /// The caller.
  var caller: Caller
  /// The time when the message came: a call that waits for locks waits from then on.
  var arrival: Timestamp
  /// The system's time.
  var now: Timestamp
}

/// The state of a call that may have to wait.
enum Progress<Result: Sendable>: Sendable {
  /// The call is done.
  case done(Result)
  /// The call waits for the locks of a transaction, and has to be made again when one ends and at this time.
  case waits(until: Timestamp)
}
