public import RulesEval
import RulesLang

extension Store {
  /// The changes of a commit before it is certain to succeed.
  private struct Draft {
    /// The documents after the writes so far; a deleted one is nil inside.
    var documents: [DocumentPath: StoredDocument?] = [:]
    /// The paths in the order of their first writes.
    var paths: [DocumentPath] = []
    /// The time of the commit.
    var time: Timestamp
    /// The value of server timestamps.
    var requestTime: Timestamp
    /// The read time of the commit, the update time of documents that are verified to be missing.
    var readTime: Timestamp
    /// The verified documents.
    var verified: [DocumentPath] = []
  }

  /// Applies the writes of a commit that the rules allow: all of them, or none if a precondition fails.
  ///
  /// - Parameters:
  ///   - time: The time of the server's clock. If it is not after the last commit, the microsecond after the
  ///     last commit is used instead.
  ///   - requestTime: The value of `request.time` and of server timestamps; if nil, the time of the commit
  ///     truncated to the millisecond.
  ///   - readTime: The update time of documents that are verified to be missing; if nil, that of the commit.
  /// - Requires: `check(writes)` throws nothing.
  public mutating func commit(
    _ writes: [StoreWrite], at time: Timestamp, requestTime: Timestamp? = nil,
    readTime: Timestamp? = nil
  ) throws(Refusal) -> Commit {
    if writes.isEmpty { return Commit(time: nil, results: [], changed: []) }
    let time = time.orAfter(lastTime)
    var draft = Draft(
      time: time, requestTime: requestTime ?? time.requestTime, readTime: readTime ?? time)
    var results: [WriteResult] = []
    results.reserveCapacity(writes.count)
    for write in writes { results.append(try apply(write, to: &draft)) }
    for path in draft.paths {
      guard case .some(.some(var document)) = draft.documents[path], let old = self[path],
        document.created == old.created,
        Value.areStoredAlike(.map(old.data), .map(document.data))
      else { continue }
      document.updated = old.updated
      draft.documents[path] = document
    }
    // The result of every write of a document has the final update time of the document.
    for (place, write) in writes.enumerated() {
      if case .some(let last) = draft.documents[write.path] {
        results[place].updated = last?.updated
      }
    }
    for path in draft.paths {
      guard case .some(let document) = draft.documents[path] else { continue }
      let old = self[path]
      if old == nil, document == nil { continue }
      if let old, let document, old.updated == document.updated { continue }
      history.add(path, old, replaced: time)
      put(document, at: path)
    }
    lastTime = time
    let verified = draft.verified.filter { draft.documents[$0] == nil }
    return Commit(time: time, results: results, changed: draft.paths + verified)
  }

  private func apply(
    _ write: StoreWrite, to draft: inout Draft
  ) throws(Refusal) -> WriteResult {
    let path = write.path
    let drafted = draft.documents[path]
    let old = drafted ?? self[path]
    // A version is checked only at the first write of the document; later ones require the same version.
    if drafted == nil || !write.precondition.isVersion {
      try check(write.precondition, of: path, stored: old)
    }
    guard let rulesWrite = write.rulesWrite else {
      if drafted == nil, !draft.verified.contains(path) { draft.verified.append(path) }
      return WriteResult(updated: old?.updated ?? draft.readTime)
    }
    let data = rulesWrite.apply(to: old?.data, time: draft.requestTime)
    var new: StoredDocument?
    if let data {
      let isSame = old.map { Value.areStoredAlike(.map($0.data), .map(data)) } ?? false
      new = old ?? StoredDocument(path: path, data: data, created: draft.time, updated: draft.time)
      if !isSame {
        if StoredDocument.size(of: data, at: path) > StoredDocument.greatestSize {
          throw .largeDocument
        }
        new?.data = data
        new?.updated = draft.time
      }
    }
    if drafted == nil { draft.paths.append(path) }
    draft.documents[path] = .some(new)
    return WriteResult(
      updated: new?.updated,
      transforms: rulesWrite.transformResults(on: old?.data, time: draft.requestTime))
  }

  private func check(
    _ precondition: StoreWrite.Precondition, of path: DocumentPath, stored: StoredDocument?
  ) throws(Refusal) {
    switch precondition {
    case .none: return
    case .exists: if stored == nil { throw .missing(path, in: id) }
    case .missing: if stored != nil { throw .stored(path, in: id) }
    case .updateTime(let time):
      // The version of a missing document is the time of its deletion, or 0.
      let version = (stored?.updated ?? history.deletion(of: path))?.microseconds ?? 0
      if version == time.microseconds {
        if stored == nil, version != 0 { throw .missing(path, in: id) }
        return
      }
      if stored != nil, version < time.microseconds { throw .laterVersion(path, in: id) }
      throw .version(version, insteadOf: time)
    }
  }
}

extension Write {
  /// Returns the results of the transforms on a document: the new values, null for arrays.
  fileprivate func transformResults(on old: MapValue?, time: Timestamp) -> [Value] {
    if transforms.isEmpty { return [] }
    var plain = self
    plain.transforms = []
    var data = plain.apply(to: old, time: time) ?? MapValue()
    return transforms.map { path, transform in
      let value = transform.apply(to: data.value(at: path), time: time)
      data.set(value, at: path)
      switch transform {
      case .serverTimestamp, .increment, .maximum, .minimum: return value
      case .arrayUnion, .arrayRemove: return .null
      }
    }
  }
}
