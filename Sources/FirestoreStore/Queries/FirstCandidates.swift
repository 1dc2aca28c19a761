/// The first candidates in the order of a query's results, out of candidates added in any order.
///
/// With a limit, candidates that cannot be among the first are dropped whenever there are twice as many as
/// the limit. So a small limit over many documents needs little memory and no complete sort.
struct FirstCandidates {
  /// The order.
  private let order: ResultOrder
  /// The number of first candidates; nil for all.
  private let limit: Int?
  /// The candidates that are kept.
  private var candidates: [Candidate] = []

  /// Creates an empty collection.
  init(in order: ResultOrder, limit: Int?) {
    self.order = order
    self.limit = limit
  }

  /// Adds a candidate.
  ///
  /// - Complexity: Amortized O(log *n*) in the limit.
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
