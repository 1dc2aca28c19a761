/// The outcome of one execution of a reader on bytes that were drawn at random.
package enum TrialOutcome: Equatable, Sendable {
  /// The reader took the bytes, and everything that holds of what it read holds.
  case taken
  /// The reader refused the bytes.
  case refused
  /// The reader is wrong, and this is how.
  case failed(String)
}
