extension CallError {
  /// The error that the first request is not `initialize`.
  static let notInitialized = CallError(code: -32002, message: "`initialize` comes first")
  /// The error that the client has cancelled the request.
  static let cancelled = CallError(code: -32800, message: "cancelled")
  /// Returns the error that a valid request cannot be fulfilled.
  static func failed(_ message: String) -> CallError { CallError(code: -32803, message: message) }
}
