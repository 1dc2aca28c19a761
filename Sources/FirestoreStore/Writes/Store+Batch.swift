public import RulesEval
import RulesLang

/// The outcome of one write of a batch.
public enum BatchOutcome: Sendable {
  /// The write is done, by a commit at a time.
  case written(WriteResult, at: Timestamp)
  /// The write is refused.
  case refused(Refusal)
}

extension Store {
  /// Applies each write of a batch by itself, as `BatchWrite` does; only admins may ask for it.
  ///
  /// - Parameters:
  ///   - clock: gives the times of the second write and those behind it.
  ///   - locked: the documents for whose locks the batch has waited in vain.
  public mutating func batch(
    _ writes: [StoreWrite], at time: Timestamp, clock: inout ServerClock,
    locked: Set<DocumentPath> = []
  ) throws(Refusal) -> [BatchOutcome] {
    try checkBatch(writes)
    var outcomes: [BatchOutcome] = []
    var time = time
    for write in writes {
      if locked.contains(write.path) {
        outcomes.append(.refused(.lockTimeout))
        continue
      }
      do throws(Refusal) {
        let commit = try commit([write], at: time)
        let done = commit.time ?? time
        outcomes.append(.written(commit.results.first ?? WriteResult(updated: nil), at: done))
        time = clock.next(after: done)
      } catch {
        outcomes.append(.refused(error))
      }
    }
    return outcomes
  }
}
