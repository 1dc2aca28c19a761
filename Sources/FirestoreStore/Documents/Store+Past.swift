public import RulesEval
import RulesLang

extension Store {
  /// Returns the store as it was at a time, for reading.
  ///
  /// - Complexity: O(*n*) in the number of documents if something has changed since, else O(1). A store that
  ///   is kept while commits change this one makes the first of them copy all documents.
  public func past(at time: Timestamp, now: Timestamp) throws(Refusal) -> Store {
    let isRecent = now.epochSeconds - time.epochSeconds <= History.mostSeconds
    guard isRecent, time >= history.floor else {
      throw .failedPrecondition("The requested 'read_time' is too old.")
    }
    if time >= lastTime { return self }
    var past = self
    for version in history.kept.reversed() {
      if version.replaced <= time { break }
      past.put(version.document, at: version.path)
    }
    past.history.clear(until: time)
    past.lastTime = time
    return past
  }
}
