/// What a report comes to.
package enum Conclusion: Sendable {
  /// Everything asked for holds.
  case success
  /// Something does not hold.
  case failure
  /// Nothing is known to be wrong, but something could not be decided.
  case undecided

  /// What two parts of a run come to: a failure outweighs not knowing.
  package func and(_ other: Conclusion) -> Conclusion {
    if self == .failure || other == .failure { return .failure }
    return self == .undecided ? self : other
  }
}
