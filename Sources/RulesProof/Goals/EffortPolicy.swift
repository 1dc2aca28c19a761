/// The effort policy for undecided queries: the more earlier ones stayed undecided, the less is
/// tried.
final class EffortPolicy {
  /// True if the policy learns from earlier queries.
  private let isShared: Bool
  /// The number of consecutive queries that stayed undecided after all efforts.
  private var futile = 0

  /// Creates a policy with full effort.
  init(isShared: Bool) { self.isShared = isShared }

  /// Maximum requests tried near unconfirmed models.
  var probes: Int { Strategy.probes >> futile }

  /// True if an undecided query is retried in another way.
  var retries: Bool { futile < Strategy.tries }

  /// Records the result of a query after all efforts.
  func note(isOpen: Bool) {
    if isShared { futile = isOpen ? min(futile + 1, Strategy.tries) : 0 }
  }
}
