public import RulesEval
import RulesLang

/// The result of one write of a batch.
public enum BatchOutcome: Sendable {
  /// The write was applied, by a commit at a time.
  case written(WriteResult, at: Timestamp)
  /// The write was refused.
  case refused(Refusal)
}

extension Store {
  /// Applies the writes of a batch one by one, as `BatchWrite` does, which only administrators may call.
  ///
  /// - Parameters:
  ///   - clock: The source of the times of the second and later writes.
  ///   - locked: The documents whose locks the batch did not get in time.
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
