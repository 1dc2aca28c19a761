/// The outcome of one execution of a reader on bytes that were drawn at random.
package enum TrialOutcome: Equatable, Sendable {
  /// The reader took the bytes, and its result has all expected properties.
  case taken
  /// The reader refused the bytes.
  case refused
  /// The reader is wrong, and this is how.
  case failed(String)
}
