/// The first candidates in the order of a query's results, of those that are added in any order.
///
/// With a limit the candidates that cannot be among the first are dropped whenever as many are beyond it, so
/// that a small limit over many documents needs little memory and no sorting of all.
struct FirstCandidates {
  /// The order.
  private let order: ResultOrder
  /// The largest number of candidates; nil for all.
  private let limit: Int?
  /// The candidates so far.
  private var candidates: [Candidate] = []

  /// Makes an empty collection.
  init(in order: ResultOrder, limit: Int?) {
    self.order = order
    self.limit = limit
  }

  /// Adds a candidate.
  ///
  /// - Complexity: logarithmic in the limit, on average.
  mutating func add(_ candidate: Candidate) {
    candidates.append(candidate)
    if let limit, candidates.count - limit >= max(limit, 1) { cut() }
  }

  /// Returns the first candidates in order.
  mutating func sorted() -> [Candidate] {
    cut()
    return candidates
  }

  private mutating func cut() {
    candidates.sort(by: order.precedes)
    if let limit, candidates.count > limit { candidates.removeSubrange(limit...) }
  }
}
