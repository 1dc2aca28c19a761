/// The outcome of a command, which determines its exit code.
package enum Conclusion: Sendable {
  /// Everything that was checked holds.
  case success
  /// Something does not hold.
  case failure
  /// Nothing is known to be wrong, but something could not be decided.
  case undecided

  /// Returns the outcome of two parts of a run: a failure outweighs an undecided part.
  package func and(_ other: Conclusion) -> Conclusion {
    if self == .failure || other == .failure { return .failure }
    return self == .undecided ? self : other
  }
}
