/// The outcome of reading random bytes.
package enum TrialOutcome: Equatable, Sendable {
  /// The reader accepted the bytes, and the result has all expected properties.
  case taken
  /// The reader refused the bytes.
  case refused
  /// The result violates a property, which is described.
  case failed(String)
}
